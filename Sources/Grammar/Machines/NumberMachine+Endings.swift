extension NumberMachine {
  /// What leads from a state to a number in the set.
  enum Ending: Equatable {
    /// Nothing does.
    case never
    /// These bytes, of which there are as few as possible.
    case bytes([UInt8])
  }

  /// How a number that has been begun can end, where that can be calculated; `nil` where it has to be tried.
  ///
  /// Trying takes as many states as a multiple has remainders, for every number of digits: millions for a `multipleOf` of seven
  /// digits. Where numbers are multiples of one step, the digits that are left are a number in an interval, and which of
  /// them makes the whole a multiple is one division.
  func ending(_ state: NumberState) -> Ending? {
    guard let step else { return nil }
    switch state.phase {
    case .integer:
      var isKnown = true
      for more in 0...max(0, maximumInteger - Int(state.integerDigits)) {
        let isTooLong = isExact && step.scale > 0 && Int(state.integerDigits) + more + step.scale > Self.exactDigits
        guard !isTooLong, let interval = interval(state, integerDigits: more, scale: step.scale) else {
          isKnown = false
          continue
        }
        switch multiple(in: interval, state, step) {
        case .digits(let number):
          let digits = spelling(number, count: interval.digits)
          let fraction = trimmed(digits.dropFirst(more))
          return .bytes(digits.prefix(more) + (fraction.isEmpty ? [] : [0x2E] + fraction))
        case .none: continue
        case .unknown: isKnown = false
        }
      }
      return isKnown ? .never : nil
    case .point, .fraction:
      guard !isExact || step.scale <= Int(state.room),
        let interval = interval(state, integerDigits: nil, scale: step.scale)
      else { return nil }
      switch multiple(in: interval, state, step) {
      case .digits(let number):
        let digits = trimmed(spelling(number, count: interval.digits)[...])
        return .bytes(digits.isEmpty && state.phase == .point ? [0x30] : digits)
      case .none: return .never
      case .unknown: return nil
      }
    default: return nil
    }
  }

  private func spelling(_ number: Int64, count: Int) -> [UInt8] {
    let digits = String(number).utf8
    return count == 0 ? [] : [UInt8](repeating: 0x30, count: max(0, count - digits.count)) + digits
  }

  private func trimmed(_ digits: ArraySlice<UInt8>) -> [UInt8] {
    Array(digits.prefix((digits.lastIndex { $0 != 0x30 } ?? digits.startIndex - 1) + 1 - digits.startIndex))
  }

  /// What every number of the set is a multiple of; `nil` when there is no such number, or more than one.
  private var step: (modulus: Int64, scale: Int, index: Int?)? {
    let wanted = scaled.indices.filter { scaled[$0].isWanted }
    if wanted.isEmpty { return constraint.isInteger ? (1, 0, nil) : nil }
    guard wanted.count == 1, !constraint.isInteger || scaled[wanted[0]].scale == 0 else { return nil }
    return (scaled[wanted[0]].modulus, scaled[wanted[0]].scale, wanted[0])
  }

  /// The digits that may follow, read as a number: `digits` of them, between `lower` and `upper`, which may be empty.
  private struct Interval {
    var digits: Int
    var lower: Int64
    var upper: Int64
    /// There are more numbers than these.
    var isPart = false
  }

  private static let mostDigits = 17

  /// - Parameters:
  ///   - integerDigits: how many digits before the point follow; `nil` behind it.
  ///   - scale: how many digits there are behind the point, those that have been read included.
  /// - Returns: `nil` when there are too many digits to calculate with.
  private func interval(_ state: NumberState, integerDigits: Int?, scale: Int) -> Interval? {
    let side = state.isNegative ? 1 : 0
    let behind = integerDigits == nil ? max(0, scale - Int(state.fractionDigits)) : scale
    let digits = (integerDigits ?? 0) + behind
    let empty = Interval(digits: 0, lower: 1, upper: 0)

    /// How the number compares with a bound, and the bound's digits from here on where they are the same so far.
    func comparison(_ bound: Magnitude?, _ status: Int8) -> (order: Int8, rest: [UInt8], isLonger: Bool)? {
      guard let bound else { return nil }
      var rest: [UInt8] = []
      if let integerDigits {
        let count = Int(state.integerDigits) + integerDigits
        if count != bound.integer.count { return (count < bound.integer.count ? -1 : 1, [], false) }
        rest = Array(bound.integer[Int(state.integerDigits)...])
      }
      if status != 0 { return (status, [], false) }
      let read = integerDigits == nil ? Int(state.fractionDigits) : 0
      let fraction = bound.fraction.dropFirst(read)
      rest += fraction.prefix(behind)
      rest += [UInt8](repeating: 0, count: max(0, behind - fraction.count))
      return (0, rest, fraction.count > behind)
    }
    let low = comparison(lows[side], state.low)
    let high = comparison(highs[side], state.high)
    if let low, low.order < 0 { return empty }
    if let high, high.order > 0 { return empty }
    let isBounded = low?.order == 0 || high?.order == 0
    if digits > Self.mostDigits {
      guard !isBounded else { return nil }
      return Interval(digits: digits, lower: 0, upper: Self.power(Self.mostDigits) - 1, isPart: true)
    }
    var result = Interval(digits: digits, lower: 0, upper: Self.power(digits) - 1)
    func value(_ digits: [UInt8]) -> Int64 { digits.reduce(0) { $0 * 10 + Int64($1) } }
    if let low, low.order == 0 {
      let isOutside = low.isLonger || lows[side]?.isExclusive == true
      result.lower = value(low.rest) + (isOutside ? 1 : 0)
    }
    if let high, high.order == 0 {
      let isOutside = !high.isLonger && highs[side]?.isExclusive == true
      result.upper = value(high.rest) - (isOutside ? 1 : 0)
    }
    return result
  }

  private enum Found {
    case none, unknown
    case digits(Int64)
  }

  /// The first number in `interval` that makes, behind what has been read, a number in the set.
  private func multiple(
    in interval: Interval, _ state: NumberState, _ step: (modulus: Int64, scale: Int, index: Int?)
  ) -> Found {
    func shifted(_ number: Int64, _ digits: Int, _ modulus: Int64) -> Int64 {
      // Below 10^18, since a modulus has at most 17 digits.
      (0..<max(0, digits)).reduce(number % modulus) { remainder, _ in remainder * 10 % modulus }
    }
    let unwanted = scaled.indices.filter { !scaled[$0].isWanted }
    guard unwanted.allSatisfy({ scaled[$0].scale >= step.scale }) else { return .unknown }
    let remainder = step.index.map { shifted(state.remainders[$0], interval.digits, step.modulus) } ?? 0
    // The first of `digits`, `digits + modulus`, … that isn't below the interval: at most two numbers of 17 digits.
    var digits = (step.modulus - remainder) % step.modulus
    if digits < interval.lower {
      digits += (interval.lower - digits + step.modulus - 1) / step.modulus * step.modulus
    }
    // Unwanted multiples can lie beside each other; more than a few of them make it a matter of trying.
    for _ in 0..<32 {
      if digits > interval.upper { return interval.isPart ? .unknown : .none }
      let isOutside = unwanted.allSatisfy { index in
        let (modulus, extra) = (scaled[index].modulus, scaled[index].scale - step.scale)
        let before = shifted(state.remainders[index], interval.digits + extra, modulus)
        return (before + shifted(digits, extra, modulus)) % modulus != 0
      }
      if isOutside { return .digits(digits) }
      digits += step.modulus
    }
    return .unknown
  }

  private static func power(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
