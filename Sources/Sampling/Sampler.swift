/// Chooses the next token from a model's logits.
///
/// ```swift
/// var options = SamplingOptions()
/// options.temperature = 0.7
/// options.topP = 0.95
/// var sampler = Sampler(options)
/// let id = try sampler.sample(&logits, allowed: mask)
/// sampler.accept(id)
/// ```
package struct Sampler: Sendable {
  /// What it was made with.
  package let options: SamplingOptions
  private var generator: Xoshiro256
  /// The last accepted tokens, as many as the penalty looks at, in no particular order once full.
  private var window: [Int] = []
  private var oldest = 0

  package init(_ options: SamplingOptions) {
    self.options = options
    generator = Xoshiro256(seed: options.seed)
  }

  /// Chooses a token.
  ///
  /// A logit of NaN or infinity is never chosen, even at a temperature; of equal logits greedy choice takes the lower id.
  ///
  /// - Parameters:
  ///   - logits: one for each id; they are overwritten on the way.
  ///   - allowed: the tokens to choose among; all when nil. Ids beyond the mask are not allowed.
  /// - Throws: `SamplingError.noAllowedToken` when the mask leaves nothing, `.nonFiniteLogits` when nothing it leaves has
  ///   a finite logit.
  /// - Complexity: linear in the number of logits; nothing is sorted but the few most likely ones.
  package mutating func sample(_ logits: inout [Float], allowed: TokenMask? = nil) throws(SamplingError) -> Int {
    if let allowed { try Self.mask(&logits, allowed) }
    penalizeRepetition(&logits)
    guard let maximum = Logits.maximum(logits) else { throw .nonFiniteLogits }
    guard options.temperature > 0 else { return Logits.firstIndex(of: maximum, in: logits) ?? 0 }
    // Bounded, so that a tiny temperature makes no NaN of the most likely token's 0 × infinity.
    let scale = Float(min(1 / options.temperature, 1e30))
    guard let candidates = Candidates(logits, maximum: maximum, scale: scale, options) else {
      let (weights, sum) = Logits.weights(logits, maximum: maximum, scale: scale)
      return Self.draw(generator.nextUnit() * sum, from: weights)
    }
    return candidates.draw(generator.nextUnit())
  }

  /// Notes that `id` was taken, for the repetition penalty.
  package mutating func accept(_ id: Int) {
    let length = options.repetitionWindow
    guard penalty != nil, length > 0 else { return }
    if window.count < length {
      window.append(id)
    } else {
      window[oldest] = id
      oldest = (oldest + 1) % length
    }
  }

  private var penalty: Float? {
    let penalty = Float(options.repetitionPenalty)
    return penalty > 0 && penalty.isFinite && penalty != 1 ? penalty : nil
  }

  private func penalizeRepetition(_ logits: inout [Float]) {
    guard let penalty else { return }
    for id in Set(window) where logits.indices.contains(id) {
      let logit = logits[id]
      guard logit.isFinite else { continue }
      let changed = logit > 0 ? logit / penalty : logit * penalty
      logits[id] = min(max(changed, -Float.greatestFiniteMagnitude), .greatestFiniteMagnitude)
    }
  }

  /// Sets the logits of tokens that aren't allowed to -infinity.
  private static func mask(_ logits: inout [Float], _ allowed: TokenMask) throws(SamplingError) {
    let count = logits.count
    var isAnyAllowed = false
    logits.withUnsafeMutableBufferPointer { logits in
      for start in stride(from: 0, to: count, by: 64) {
        let word = start >> 6 < allowed.words.count ? allowed.words[start >> 6] : 0
        let end = min(start + 64, count)
        if word == .max {
          isAnyAllowed = true
        } else if word == 0 {
          for id in start..<end { logits[id] = -.infinity }
        } else {
          for id in start..<end {
            if word >> UInt64(id - start) & 1 == 1 { isAnyAllowed = true } else { logits[id] = -.infinity }
          }
        }
      }
    }
    guard isAnyAllowed else { throw .noAllowedToken }
  }

  /// The first token at which the sum of weights exceeds `target`; the last of any weight if rounding keeps it below.
  private static func draw(_ target: Double, from weights: [Float]) -> Int {
    var sum = 0.0
    for (id, weight) in weights.enumerated() {
      sum += Double(weight)
      if sum > target { return id }
    }
    return weights.lastIndex { $0 > 0 } ?? 0
  }
}
