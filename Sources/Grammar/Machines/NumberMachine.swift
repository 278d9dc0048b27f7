/// What has been read of a number, as far as it matters.
struct NumberState: Hashable {
  enum Phase: UInt8 { case start, minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits }

  var phase = Phase.start
  var isNegative = false
  var integerDigits: UInt8 = 0
  var fractionDigits: UInt8 = 0
  /// Digits that may stand behind the point, where the number has to be one that a double tells from its neighbours.
  var room: UInt8 = 0
  /// Comparison of the digits so far with the bounds of the magnitude: -1, 0 (equal so far), 1.
  var low: Int8 = 0
  var high: Int8 = 0
  var isZero = true
  /// For each multiple, the scaled digits modulo its value.
  var remainders: [Int64] = []
  /// A digit beyond the scale of a multiple was not zero.
  var overflow: [Bool] = []
  var exponentDigits: UInt8 = 0
  var exponentValue: Int16 = 0
  /// What the exponent may be: anything; with a short mantissa more; below zero only.
  var exponentRule = ExponentRule.usual
  enum ExponentRule: UInt8 { case usual, short, negative }
}

/// The spellings of a set of numbers as an automaton: digits are compared with the bounds while they are read.
///
/// An exponent is offered only where any exponent, or any negative one, keeps the number in the set. Lengths are bounded, so
/// that numbers end.
struct NumberMachine {
  struct Magnitude {
    var integer: [UInt8]
    var fraction: [UInt8]
    var isExclusive: Bool
  }
  struct Scaled {
    var modulus: Int64
    var scale: Int
    var isWanted: Bool
  }

  let constraint: NumberConstraint
  let scaled: [Scaled]
  /// The bounds of the magnitude of numbers without a sign and with one.
  let lows: [Magnitude?]
  let highs: [Magnitude?]
  private let possible: [Bool]
  let maximumInteger: Int
  private let maximumFraction: Int
  /// A text may have only as many digits as a double keeps: what is read from it would otherwise lie on a bound that is
  /// excluded, or be a multiple although the text is none.
  let isExact: Bool
  /// Digits that a double keeps, whatever they are: two texts of so many are two doubles.
  static let exactDigits = 15
  /// With up to 20 digits before the point the number stays within a double's range.
  private let largestExponent = 280
  /// With one.
  private let largestShortExponent = 307

  /// - Throws: `PatternError` when a multiple has too many digits.
  init(_ asked: NumberConstraint, maximumDigits: Int) throws(PatternError) {
    let constraint = asked.asRead
    self.constraint = constraint
    var scaled: [Scaled] = []
    for (multiple, isWanted) in constraint.multiples.map({ ($0, true) }) + constraint.nonMultiples.map({ ($0, false) })
    {
      let scale = multiple.fractionDigits.count
      let digits = multiple.integerDigits + multiple.fractionDigits
      guard digits.count <= 17, !multiple.isZero else {
        throw PatternError(reason: "a multiple with so many digits is not supported")
      }
      scaled.append(
        Scaled(modulus: digits.reduce(0) { $0 * 10 + Int64($1) }, scale: scale, isWanted: isWanted))
    }
    self.scaled = scaled

    func magnitude(_ bound: NumberConstraint.Bound) -> Magnitude {
      Magnitude(
        integer: bound.value.integerDigits, fraction: bound.value.fractionDigits, isExclusive: bound.isExclusive)
    }
    var lows: [Magnitude?] = [nil, nil]
    var highs: [Magnitude?] = [nil, nil]
    var possible = [true, true]
    if let lower = constraint.lower {
      if !lower.value.isNegative, !lower.value.isZero || lower.isExclusive { lows[0] = magnitude(lower) }
      if lower.value.isNegative || (lower.value.isZero && !lower.isExclusive) {
        highs[1] = magnitude(lower)
      } else {
        possible[1] = false
      }
    }
    if let upper = constraint.upper {
      if upper.value.isNegative || (upper.value.isZero && upper.isExclusive) { lows[1] = magnitude(upper) }
      if upper.value.isNegative { possible[0] = false } else { highs[0] = magnitude(upper) }
    }
    self.lows = lows
    self.highs = highs
    self.possible = possible
    let bounds = [constraint.lower, constraint.upper].compactMap { $0?.value }
    // Beyond 15 digits a double doesn't hold every multiple.
    let scale = scaled.filter(\.isWanted).map(\.scale).max()
    let usual =
      scale.map { constraint.isInteger ? maximumDigits : min(maximumDigits, max(1, 15 - $0)) } ?? maximumDigits
    let most = scaled.isEmpty || constraint.isInteger ? 200 : NumberConstraint.longestInteger
    maximumInteger = min(most, max(usual, bounds.map(\.integerDigits.count).max() ?? 0))
    isExact =
      !constraint.isInteger && constraint.single == nil
      && (!scaled.isEmpty || bounds.contains { $0.point > Self.exactDigits }
        || [constraint.lower, constraint.upper].contains { $0.map { $0.isExclusive && !$0.value.isZero } ?? false })
    var fraction = max(maximumDigits, (bounds.map(\.fractionDigits.count).max() ?? 0) + 1)
    if !constraint.multiples.isEmpty {
      fraction = max(1, scaled.filter(\.isWanted).map(\.scale).min() ?? 0)
    }
    if let single = constraint.single { fraction = single.fractionDigits.count }
    maximumFraction = constraint.isInteger ? 0 : min(200, fraction)
  }

  var start: NumberState {
    NumberState(
      remainders: scaled.map { _ in 0 }, overflow: scaled.map { _ in false })
  }

  /// The state after `byte`, `nil` when the spelling is wrong or out of bounds for good.
  func next(_ state: NumberState, _ byte: UInt8) -> NumberState? {
    var state = state
    switch (state.phase, byte) {
    case (.start, 0x2D):
      guard possible[1] else { return nil }
      state.phase = .minus
      state.isNegative = true
      return state
    case (.start, 0x30...0x39), (.minus, 0x30...0x39):
      guard state.isNegative || possible[0] else { return nil }
      state.phase = byte == 0x30 ? .zero : .integer
      return integerDigit(state, byte - 0x30)
    case (.integer, 0x30...0x39):
      return integerDigit(state, byte - 0x30)
    case (.zero, 0x2E), (.integer, 0x2E):
      guard maximumFraction > 0 else { return nil }
      let side = state.isNegative ? 1 : 0
      state.low = integerComparison(state, lows[side], state.low)
      state.high = integerComparison(state, highs[side], state.high)
      if isExact {
        let room = Self.exactDigits - (state.isZero ? 0 : Int(state.integerDigits))
        guard room > 0 else { return nil }
        state.room = UInt8(room)
      }
      state.integerDigits = 0
      state.phase = .point
      return isHopeless(state) ? nil : state
    case (.point, 0x30...0x39), (.fraction, 0x30...0x39):
      state.phase = .fraction
      return fractionDigit(state, byte - 0x30)
    case (.zero, 0x65), (.zero, 0x45), (.integer, 0x65), (.integer, 0x45), (.fraction, 0x65), (.fraction, 0x45):
      guard mayScale(state) || mayShrink(state) else { return nil }
      let isShort = state.phase != .fraction && state.integerDigits <= 1
      return NumberState(
        phase: .exponent, remainders: start.remainders, overflow: start.overflow,
        exponentRule: !mayScale(state) ? .negative : isShort ? .short : .usual)
    case (.exponent, 0x2D):
      state.phase = .exponentSign
      if state.exponentRule == .short { state.exponentRule = .usual }
      return state
    case (.exponent, 0x2B):
      guard state.exponentRule != .negative else { return nil }
      state.phase = .exponentSign
      return state
    case (.exponent, 0x30...0x39), (.exponentSign, 0x30...0x39), (.exponentDigits, 0x30...0x39):
      guard state.phase != .exponent || state.exponentRule != .negative else { return nil }
      state.phase = .exponentDigits
      state.exponentDigits += 1
      state.exponentValue = state.exponentValue * 10 + Int16(byte - 0x30)
      let largest = state.exponentRule == .short ? largestShortExponent : largestExponent
      return state.exponentDigits > 3 || Int(state.exponentValue) > largest ? nil : state
    default:
      return nil
    }
  }

  /// The number may end here.
  func accepts(_ state: NumberState) -> Bool {
    switch state.phase {
    case .zero, .integer, .fraction: break
    case .exponentDigits: return true
    default: return false
    }
    let side = state.isNegative ? 1 : 0
    let low = comparison(state, lows[side], state.low)
    let high = comparison(state, highs[side], state.high)
    if let bound = lows[side], low < 0 || (low == 0 && bound.isExclusive) { return false }
    if let bound = highs[side], high > 0 || (high == 0 && bound.isExclusive) { return false }
    for (index, multiple) in scaled.enumerated() {
      var remainder = state.remainders[index]
      for _ in Int(state.fractionDigits)..<max(Int(state.fractionDigits), multiple.scale) {
        remainder = remainder * 10 % multiple.modulus
      }
      let isMultiple = remainder == 0 && !state.overflow[index]
      if isMultiple != multiple.isWanted { return false }
    }
    return true
  }

  /// Any exponent keeps the number in the set.
  private func mayScale(_ state: NumberState) -> Bool {
    if constraint.isFree { return true }
    guard !constraint.isInteger, scaled.isEmpty, constraint.upper == nil, let lower = constraint.lower,
      lower.value.isZero
    else { return false }
    return !state.isNegative && (!lower.isExclusive || !state.isZero)
  }

  /// The number is in the set, and so is whatever lies between it and zero.
  private func mayShrink(_ state: NumberState) -> Bool {
    guard !constraint.isInteger, scaled.isEmpty, constraint.single == nil, accepts(state) else { return false }
    return (constraint.lower.map { $0.value.isNegative || $0.value.isZero } ?? true)
      && (constraint.upper.map { !$0.value.isNegative } ?? true)
  }

  private func integerDigit(_ state: NumberState, _ digit: UInt8) -> NumberState? {
    var state = state
    let place = Int(state.integerDigits)
    guard place < maximumInteger else { return nil }
    let side = state.isNegative ? 1 : 0
    if let bound = lows[side], state.low == 0, place < bound.integer.count {
      state.low = compare(digit, bound.integer[place])
    }
    if let bound = highs[side], state.high == 0, place < bound.integer.count {
      state.high = compare(digit, bound.integer[place])
    }
    state.integerDigits += 1
    if digit != 0 { state.isZero = false }
    for index in scaled.indices {
      state.remainders[index] = (state.remainders[index] * 10 + Int64(digit)) % scaled[index].modulus
    }
    if let bound = highs[side], place + 1 > bound.integer.count { return nil }
    if let bound = highs[side], place + 1 == bound.integer.count, state.high > 0 { return nil }
    return state
  }

  private func fractionDigit(_ state: NumberState, _ digit: UInt8) -> NumberState? {
    var state = state
    let place = Int(state.fractionDigits)
    guard place < maximumFraction, !isExact || place < Int(state.room) else { return nil }
    let side = state.isNegative ? 1 : 0
    if let bound = lows[side], state.low == 0 {
      state.low = compare(digit, place < bound.fraction.count ? bound.fraction[place] : 0)
    }
    if let bound = highs[side], state.high == 0 {
      state.high = compare(digit, place < bound.fraction.count ? bound.fraction[place] : 0)
    }
    state.fractionDigits += 1
    if digit != 0 { state.isZero = false }
    for index in scaled.indices {
      if place < scaled[index].scale {
        state.remainders[index] = (state.remainders[index] * 10 + Int64(digit)) % scaled[index].modulus
      } else if digit != 0 {
        if scaled[index].isWanted { return nil }
        state.overflow[index] = true
      }
    }
    return isHopeless(state) ? nil : state
  }

  private func compare(_ left: UInt8, _ right: UInt8) -> Int8 { left < right ? -1 : left > right ? 1 : 0 }

  /// The integer part against that of a bound; `status` is the comparison of the digits in common.
  private func integerComparison(_ state: NumberState, _ bound: Magnitude?, _ status: Int8) -> Int8 {
    guard let bound else { return 0 }
    let place = Int(state.integerDigits)
    return place == bound.integer.count ? status : place < bound.integer.count ? -1 : 1
  }

  /// The number as it stands against a bound.
  private func comparison(_ state: NumberState, _ bound: Magnitude?, _ status: Int8) -> Int8 {
    guard let bound else { return 0 }
    if state.phase == .fraction {
      return status == 0 && Int(state.fractionDigits) < bound.fraction.count ? -1 : status
    }
    let result = integerComparison(state, bound, status)
    return result == 0 && !bound.fraction.isEmpty ? -1 : result
  }

  /// After the point: below the lower or above the upper bound whatever digits follow.
  private func isHopeless(_ state: NumberState) -> Bool {
    let side = state.isNegative ? 1 : 0
    return (lows[side] != nil && state.low < 0) || (highs[side] != nil && state.high > 0)
  }
}
