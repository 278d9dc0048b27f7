/// Which positions of a run of tokens get logits. Each costs a pass over the output head; the others don't.
package enum LogitsRequest: Sendable, Equatable {
  /// No position: the tokens only fill the cache.
  case none
  /// The last position.
  case last
  /// Every position, as when drafted tokens are checked.
  case all
  /// The last so many positions, as when drafted tokens are checked that stand behind others.
  case tail(Int)
  /// The last position, and there only the logits of these ids, as when a grammar allows a few tokens: all others are
  /// −∞. The cost of the output head is in proportion to the number of ids.
  case ids([Int])

  /// How many of the last `tokens` positions get logits.
  func count(of tokens: Int) -> Int {
    switch self {
    case .none: 0
    case .last, .ids: min(1, tokens)
    case .all: tokens
    case .tail(let count): min(max(0, count), tokens)
    }
  }

  /// The ids whose logits are wanted, or `nil` for all.
  var wantedIDs: [Int]? {
    if case .ids(let ids) = self { ids } else { nil }
  }
}
