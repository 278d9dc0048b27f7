/// Passes over all logits of a vocabulary, eight at a time: they run once a token over 128,000 and more numbers.
///
/// "Finite" leaves out NaN and both infinities; a masked-out token is -infinity.
package enum Logits {
  private typealias Lanes = SIMD8<Float>

  /// The largest finite logit; nil when there is none.
  package static func maximum(_ logits: [Float]) -> Float? {
    logits.withUnsafeBufferPointer { logits in
      var best = Lanes(repeating: -.infinity)
      let whole = logits.count & ~7
      // `index + 8 <= whole <= count`.
      for index in stride(from: 0, to: whole, by: 8) {
        let lanes = load(logits, index)
        best.replace(with: lanes, where: (lanes .> best) .& (lanes .< .infinity))
      }
      var maximum = -Float.infinity
      for lane in 0..<8 where best[lane] > maximum { maximum = best[lane] }
      for index in whole..<logits.count where logits[index] > maximum && logits[index] < .infinity {
        maximum = logits[index]
      }
      return maximum == -.infinity ? nil : maximum
    }
  }

  /// The first id whose logit is `value`.
  static func firstIndex(of value: Float, in logits: [Float]) -> Int? {
    logits.withUnsafeBufferPointer { logits in
      var index = 0
      // `index + 8 <= count`.
      while index + 8 <= logits.count, !any(load(logits, index) .== value) { index += 8 }
      return logits[index...].firstIndex(of: value)
    }
  }

  /// exp((logit - maximum) × scale) of every logit, 0 for those that are not finite, and their sum.
  ///
  /// - Parameter scale: positive or 0.
  static func weights(_ logits: [Float], maximum: Float, scale: Float) -> (weights: [Float], sum: Double) {
    var sum = 0.0
    let weights = [Float](unsafeUninitializedCapacity: logits.count) { weights, initialized in
      logits.withUnsafeBufferPointer { logits in
        let whole = logits.count & ~7
        // `index + 8 <= whole <= count`, and both buffers hold `count`.
        for index in stride(from: 0, to: whole, by: 8) {
          let lanes = weight(load(logits, index), maximum, scale)
          UnsafeMutableRawPointer(weights.baseAddress.unsafelyUnwrapped + index).storeBytes(of: lanes, as: Lanes.self)
          sum += Double(lanes.sum())
        }
        for index in whole..<logits.count {
          let lane = weight(Lanes(repeating: logits[index]), maximum, scale)[0]
          weights.initializeElement(at: index, to: lane)
          sum += Double(lane)
        }
      }
      initialized = logits.count
    }
    return (weights, sum)
  }

  /// exp((logit - maximum) × scale) of one logit, the same number as ``weights(_:maximum:scale:)`` gives.
  static func weight(_ logit: Float, maximum: Float, scale: Float) -> Float {
    weight(Lanes(repeating: logit), maximum, scale)[0]
  }

  private static func weight(_ logits: Lanes, _ maximum: Float, _ scale: Float) -> Lanes {
    let isFinite = (logits .> -.infinity) .& (logits .< .infinity)
    return Lanes(repeating: 0).replacing(with: exponential((logits - maximum) * scale), where: isFinite)
  }

  private static func load(_ logits: UnsafeBufferPointer<Float>, _ index: Int) -> Lanes {
    UnsafeRawBufferPointer(logits).loadUnaligned(fromByteOffset: index * 4, as: Lanes.self)
  }

  /// e^x for x ≤ 0, within 2e-7 of it; 0 below -87.
  ///
  /// Made of additions and multiplications alone, so that every machine computes the same bits and a seed gives the same
  /// tokens everywhere: e^x = 2^n · e^r with n the whole number nearest to x / ln 2 and |r| ≤ ln 2 / 2, and for e^r its
  /// Taylor polynomial of degree 7.
  private static func exponential(_ x: Lanes) -> Lanes {
    let inRange = x .>= -87
    let clamped = Lanes(repeating: -87).replacing(with: x, where: inRange)
    // Adding 1.5 · 2^23 rounds to a whole number, which then stands in the lowest bits.
    let rounder: Float = 12_582_912
    let rounded = clamped * 1.442695 + rounder
    let power = rounded - rounder
    // ln 2 in two parts, the first of so few bits that its product with `power` is exact.
    let rest = (clamped - power * 0.693359375) + power * 2.1219444e-4
    var sum = Lanes(repeating: 1 / 5040)
    for term in [1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1] as [Float] { sum = sum * rest + term }
    // `power` lies between -126 and 0, so that 127 more is the exponent of a normal float; the shift drops all else.
    let bits = unsafeBitCast(rounded, to: SIMD8<UInt32>.self)
    let scale = unsafeBitCast((bits &+ 127) &<< 23, to: Lanes.self)
    return Lanes(repeating: 0).replacing(with: sum * scale, where: inRange)
  }
}
