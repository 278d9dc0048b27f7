public import Sampling

/// A text that is being written under a grammar: which tokens may come next, and whether it is complete.
///
/// A value: a copy is a fork at no cost. Invalid tokens leave it as it was.
public struct Matcher: Sendable {
  let core: MatcherCore
  /// The state after each token, the first before any.
  private var history: [StateID]
  /// Set after an end token.
  private var hasEnded = false

  /// A matcher at the start of a text.
  ///
  /// - Complexity: the first matcher of a vocabulary builds its trie.
  public init(_ grammar: Grammar, vocabulary: Vocabulary) {
    core = MatcherCore(grammar.program, vocabulary)
    history = [core.start]
  }

  private var state: StateID { history.last ?? 0 }

  /// The tokens that may come next; end tokens exactly when the text is complete. Empty after an end token.
  public mutating func mask() -> TokenMask {
    hasEnded ? TokenMask(count: core.vocabulary.count) : core.mask(state)
  }

  /// Takes `token` when it may come next.
  ///
  /// - Returns: whether it was taken; if not, nothing has changed.
  public mutating func accept(token: Int) -> Bool {
    guard !hasEnded else { return false }
    if core.vocabulary.endTokens.contains(token), isComplete {
      history.append(state)
      hasEnded = true
      return true
    }
    let next = core.step(state, token: token)
    guard next != 0 else { return false }
    history.append(next)
    return true
  }

  /// Takes `bytes` as if they were one token.
  ///
  /// - Returns: whether they were taken; if not, nothing has changed.
  public mutating func accept(bytes: some Sequence<UInt8>) -> Bool {
    guard !hasEnded else { return false }
    let next = core.step(state, bytes: Array(bytes))
    guard next != 0 else { return false }
    history.append(next)
    return true
  }

  /// Takes back the last `tokens` accepted tokens (or byte strings); all when there are fewer.
  public mutating func rollback(_ tokens: Int) {
    guard tokens > 0 else { return }
    hasEnded = false
    history.removeLast(min(tokens, history.count - 1))
  }

  /// Whether the text may end here.
  public var isComplete: Bool { core.isComplete(state) }

  /// The bytes that must come next, whatever the model thinks; empty when there is a choice or the text may end.
  ///
  /// - Parameter limit: no more than this many.
  public func forcedBytes(limit: Int = 4096) -> [UInt8] {
    hasEnded ? [] : core.forcedBytes(state, limit: limit)
  }

  /// The state after what was accepted; dead after an end token.
  var current: StateID { hasEnded ? 0 : state }

  /// The state after the forced bytes.
  func forcedState(_ forced: [UInt8]) -> StateID { core.step(state, bytes: forced) }

  /// A short text that completes this one; empty when it is complete, `nil` when only a control token can.
  public func shortestCompletion() -> [UInt8]? {
    hasEnded ? [] : core.shortestCompletion(state)
  }
}
