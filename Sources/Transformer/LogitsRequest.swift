/// Which positions of a run of tokens get logits. Each costs a pass over the output head; the others don't.
package enum LogitsRequest: Sendable, Equatable {
  /// No position: the tokens only fill the cache.
  case none
  /// The last position.
  case last
  /// Every position, as when drafted tokens are checked.
  case all

  /// How many of the last `tokens` positions get logits.
  func count(of tokens: Int) -> Int {
    switch self {
    case .none: 0
    case .last: min(1, tokens)
    case .all: tokens
    }
  }
}
