/// A set of numbers: bounds, and what they are and aren't multiples of.
struct NumberConstraint: Hashable, Sendable {
  struct Bound: Hashable, Sendable {
    var value: DecimalNumber
    var isExclusive: Bool
  }

  /// Spelled without fraction and exponent.
  var isInteger = false
  var lower: Bound?
  var upper: Bound?
  var multiples: [DecimalNumber] = []
  var nonMultiples: [DecimalNumber] = []

  /// One number.
  static func point(_ value: DecimalNumber) -> NumberConstraint {
    let bound = Bound(value: value, isExclusive: false)
    return NumberConstraint(lower: bound, upper: bound)
  }

  /// Nothing but the spelling of a JSON number is asked.
  var isFree: Bool { self == NumberConstraint() }

  /// The only number in the set, when bounds leave just one.
  var single: DecimalNumber? {
    guard let lower, let upper, lower.value == upper.value else { return nil }
    return lower.value
  }

  func intersection(_ other: NumberConstraint) -> NumberConstraint? {
    var result = self
    result.isInteger = isInteger || other.isInteger
    if let bound = other.lower {
      if let mine = lower {
        if bound.value > mine.value || (bound.value == mine.value && bound.isExclusive) { result.lower = bound }
      } else {
        result.lower = bound
      }
    }
    if let bound = other.upper {
      if let mine = upper {
        if bound.value < mine.value || (bound.value == mine.value && bound.isExclusive) { result.upper = bound }
      } else {
        result.upper = bound
      }
    }
    for multiple in other.multiples where !multiples.contains(multiple) { result.add(multiple) }
    for multiple in other.nonMultiples where !nonMultiples.contains(multiple) { result.nonMultiples.append(multiple) }
    if let lower = result.lower, let upper = result.upper {
      if lower.value > upper.value { return nil }
      if lower.value == upper.value, lower.isExclusive || upper.isExclusive { return nil }
    }
    // Integers are the multiples of 1.
    let one = DecimalNumber(1)
    if result.isInteger, !result.multiples.isEmpty {
      result.add(one)
      result.multiples.removeAll { $0 == one }
    }
    let steps = result.multiples + (result.isInteger ? [one] : [])
    if result.nonMultiples.contains(where: { other in steps.contains { $0.isMultiple(of: other) } }) { return nil }
    return result
  }

  /// Asks for multiples of `step` too: what are multiples of both are multiples of one number, where it isn't too long.
  private mutating func add(_ step: DecimalNumber) {
    var step = step
    for (index, other) in multiples.enumerated().reversed() {
      guard let common = step.leastCommonMultiple(other) else { continue }
      step = common
      multiples.remove(at: index)
    }
    multiples.append(step)
  }

  /// The numbers outside, as a union.
  var complement: [NumberConstraint] {
    var result: [NumberConstraint] = []
    if isInteger { result.append(NumberConstraint(nonMultiples: [DecimalNumber(1)])) }
    if let lower {
      result.append(NumberConstraint(upper: Bound(value: lower.value, isExclusive: !lower.isExclusive)))
    }
    if let upper {
      result.append(NumberConstraint(lower: Bound(value: upper.value, isExclusive: !upper.isExclusive)))
    }
    for multiple in multiples { result.append(NumberConstraint(nonMultiples: [multiple])) }
    for multiple in nonMultiples { result.append(NumberConstraint(multiples: [multiple])) }
    return result
  }
}
