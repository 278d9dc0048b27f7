import JSON

/// What programs read of a number's digits: 64 bits of an integer, and of everything else the nearest double.
extension NumberConstraint {
  /// Digits of integers that are surely within 64 bits.
  static let longestInteger = 18

  /// The constraint on digits that keeps what is read of them.
  ///
  /// Integers that the schema doesn't bound stay within 64 bits, so that they arrive exactly; those of which more than
  /// bounds is asked do in any case. Of bounds beyond that, what is read is the nearest double.
  var asRead: NumberConstraint {
    var result = self
    result.lower = lower.map { Self.reachable($0, isLower: true) }
    result.upper = upper.map { Self.reachable($0, isLower: false) }
    guard isInteger else { return result }
    let (least, most) = (DecimalNumber(Int(Int64.min)), DecimalNumber(Int(Int64.max)))
    let isStrict = !multiples.isEmpty || !nonMultiples.isEmpty
    if result.upper.map({ isStrict && $0.value > most }) ?? (isStrict || result.lower.map { $0.value < most } ?? true) {
      result.upper = .init(value: most, isExclusive: false)
    }
    if result.lower.map({ isStrict && $0.value < least }) ?? (isStrict || result.upper.map { $0.value > least } ?? true)
    {
      result.lower = .init(value: least, isExclusive: false)
    }
    return result
  }

  /// Instead of an excluded bound that only a double can hold its neighbour: a text beside the bound would be read as the
  /// bound.
  private static func reachable(_ bound: Bound, isLower: Bool) -> Bound {
    guard bound.isExclusive, bound.value.point > longestInteger, let double = Double(bound.value.spelling),
      let neighbour = DecimalNumber(.double(isLower ? double.nextUp : double.nextDown))
    else { return bound }
    return .init(value: neighbour, isExclusive: false)
  }
}
