/// A value that can only be one of a few texts, as with `enum`.
///
/// A model that is asked token by token decides by the first token, which says little when values begin alike; with the
/// texts as wholes a caller can score each and take the best.
public struct ClosedChoice: Sendable, Hashable {
  /// What may be written next, at least two texts, in the order of their bytes: `Paris"` and `Rome"` inside a string, with
  /// both quotes before it, with the blank in front right after a colon.
  public var texts: [[UInt8]]

  /// The text that follows each of them whichever it is, as far as it is certain.
  public var boundary: [UInt8]

  /// The bytes of which one follows, `,` or `}`, when ``boundary`` is empty.
  public var followers: [UInt8]
}

extension Matcher {
  /// The texts of which one must come next, when that is a value that only few texts can be; `nil` elsewhere.
  ///
  /// Numbers of a small range, booleans and constants count as well as `enum`. The texts are complete values, or what is
  /// left of them, with the certain text before them.
  ///
  /// - Parameter limit: the most texts.
  /// - Complexity: some thousand steps at most, looked up when it is asked again.
  public func closedChoice(limit: Int = 128) -> ClosedChoice? {
    guard let choice = core.closedChoice(current), choice.texts.count <= limit else { return nil }
    return choice
  }
}
