import Sampling
import Synchronization

/// What a matcher and its copies share. Every call locks the stores, whose automata grow while they are used.
final class MatcherCore: @unchecked Sendable {
  // Sendable because `automaton` and `cache` are touched inside `stores.locked` only.
  let vocabulary: Vocabulary
  let start: StateID
  private let stores: GrammarStores
  private let automaton: Automaton
  private let cache: LeafMaskCache
  /// Masks of the latest states.
  private var recent: [StateID: TokenMask] = [:]
  private let recentLimit = 64

  init(_ program: GrammarProgram, _ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    stores = program.stores
    (automaton, cache) = program.stores.locked {
      (Automaton(program: program, vocabulary: vocabulary), program.stores.maskCache(vocabulary))
    }
    start = automaton.start
  }

  func mask(_ state: StateID) -> TokenMask {
    stores.locked {
      if let known = recent[state] { return known }
      var mask = TokenMask(count: vocabulary.count)
      automaton.fill(&mask, for: state, cache: cache)
      if recent.count >= recentLimit { recent.removeAll(keepingCapacity: true) }
      recent[state] = mask
      return mask
    }
  }

  func step(_ state: StateID, token: Int) -> StateID {
    stores.locked {
      let bytes = vocabulary.bytes(of: token)
      return bytes.isEmpty ? automaton.step(state, control: token) : automaton.step(state, bytes)
    }
  }

  func step(_ state: StateID, bytes: [UInt8]) -> StateID {
    stores.locked { automaton.step(state, bytes) }
  }

  func isComplete(_ state: StateID) -> Bool {
    stores.locked { automaton.isComplete(state) }
  }

  func forcedBytes(_ state: StateID, limit: Int) -> [UInt8] {
    stores.locked { automaton.forcedBytes(state, limit: limit) }
  }

  /// The ends that tokens beginning with `text` have behind it and the grammar allows after `state`; `nil`: more than
  /// `limit`.
  func remainders(_ state: StateID, of text: ArraySlice<UInt8>, limit: Int) -> [[UInt8]]? {
    stores.locked {
      let trie = cache.trie
      guard let node = trie.node(of: text) else { return [] }
      var path: [UInt8] = []
      var found: [[UInt8]] = []
      return automaton.collectRemainders(state, below: node, trie, &path, into: &found, limit: limit) ? found : nil
    }
  }

  func closedChoice(_ state: StateID) -> ClosedChoice? {
    stores.locked { automaton.closedChoice(state) }
  }

  func plainFollowers(_ state: StateID) -> [[UInt8]] {
    stores.locked { automaton.plainFollowers(state) }
  }

  func shortestCompletion(_ state: StateID) -> [UInt8]? {
    stores.locked { automaton.shortestCompletion(state) }
  }
}
