/// What of a pattern's language is plain from how the pattern is built, without a search through its states.
///
/// A counted repetition has as many states as it counts, and the way out of it may be the longest. Under intersections and
/// complements nothing is plain.
struct PatternReach {
  /// Whether some text of code points alone, without markers, is in the language; `nil`: a search has to tell.
  let hasText: Bool?
  /// Whether some text of code points with the end marker behind it is.
  let hasEnd: Bool?

  static let nothing = PatternReach(hasText: false, hasEnd: false)
  static let epsilon = PatternReach(hasText: true, hasEnd: false)
  static let unknown = PatternReach(hasText: nil, hasEnd: nil)

  /// - Parameter reach: of the parts.
  init(_ node: PatternNode, reach: (PatternID) -> PatternReach, isNullable: (PatternID) -> Bool) {
    switch node {
    case .nothing: self = .nothing
    case .epsilon: self = .epsilon
    case .set(let set):
      hasText = (set.ranges.first?.lower).map { $0 <= CodePointSet.last } ?? false
      hasEnd = set.contains(CodePointSet.endMarker)
    case .sequence(let head, let tail):
      let (first, rest) = (reach(head), reach(tail))
      hasText = both(first.hasText, rest.hasText)
      hasEnd = either(both(first.hasText, rest.hasEnd), isNullable(tail) ? first.hasEnd : false)
    case .union(let parts):
      hasText = parts.reduce(false) { either($0, reach($1).hasText) }
      hasEnd = parts.reduce(false) { either($0, reach($1).hasEnd) }
    case .repetition(let part, let min, _):
      let inner = reach(part)
      hasText = min == 0 ? true : inner.hasText
      // The last time ends in the marker; the times before are text.
      hasEnd = min <= 1 || isNullable(part) ? inner.hasEnd : both(inner.hasText, inner.hasEnd)
    case .intersection, .complement: self = .unknown
    }
  }

  private init(hasText: Bool?, hasEnd: Bool?) {
    self.hasText = hasText
    self.hasEnd = hasEnd
  }
}

private func both(_ left: Bool?, _ right: Bool?) -> Bool? {
  if left == false || right == false { return false }
  return left == nil || right == nil ? nil : true
}

private func either(_ left: Bool?, _ right: Bool?) -> Bool? {
  if left == true || right == true { return true }
  return left == nil || right == nil ? nil : false
}
