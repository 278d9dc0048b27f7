import Sampling
import Synchronization

/// What a matcher and its copies share. Every call locks the program, whose automata grow while they are used.
final class MatcherCore: @unchecked Sendable {
  // Sendable because `automaton` and `cache` are touched inside `program.lock` only.
  let vocabulary: Vocabulary
  let start: StateID
  private let program: GrammarProgram
  private let automaton: Automaton
  private let cache: LeafMaskCache
  /// Masks of the latest states.
  private var recent: [StateID: TokenMask] = [:]
  private let recentLimit = 64

  init(_ program: GrammarProgram, _ vocabulary: Vocabulary) {
    self.program = program
    self.vocabulary = vocabulary
    // `Mutex` hands out its state only inside a closure, so the parts come out through a box.
    var automaton: Automaton?
    var cache: LeafMaskCache?
    program.lock.withLock { _ in
      automaton = Automaton(program: program, vocabulary: vocabulary)
      let key = ObjectIdentifier(vocabulary)
      cache = program.maskCaches[key] ?? LeafMaskCache(vocabulary: vocabulary, leaves: program.leaves)
      program.maskCaches[key] = cache
    }
    self.automaton = automaton ?? Automaton(program: program, vocabulary: vocabulary)
    self.cache = cache ?? LeafMaskCache(vocabulary: vocabulary, leaves: program.leaves)
    start = self.automaton.start
  }

  func mask(_ state: StateID) -> TokenMask {
    program.lock.withLock { _ in
      if let known = recent[state] { return known }
      var mask = TokenMask(count: vocabulary.count)
      automaton.fill(&mask, for: state, cache: cache)
      if recent.count >= recentLimit { recent.removeAll(keepingCapacity: true) }
      recent[state] = mask
      return mask
    }
  }

  func step(_ state: StateID, token: Int) -> StateID {
    program.lock.withLock { _ in
      let bytes = vocabulary.bytes(of: token)
      return bytes.isEmpty ? automaton.step(state, control: token) : automaton.step(state, bytes)
    }
  }

  func step(_ state: StateID, bytes: [UInt8]) -> StateID {
    program.lock.withLock { _ in automaton.step(state, bytes) }
  }

  func isComplete(_ state: StateID) -> Bool {
    program.lock.withLock { _ in automaton.isComplete(state) }
  }

  func forcedBytes(_ state: StateID, limit: Int) -> [UInt8] {
    program.lock.withLock { _ in automaton.forcedBytes(state, limit: limit) }
  }

  /// The ends that tokens beginning with `text` have behind it and the grammar allows after `state`; `nil`: more than
  /// `limit`.
  func remainders(_ state: StateID, of text: ArraySlice<UInt8>, limit: Int) -> [[UInt8]]? {
    program.lock.withLock { _ in
      let trie = cache.trie
      guard let node = trie.node(of: text) else { return [] }
      var path: [UInt8] = []
      var found: [[UInt8]] = []
      return automaton.collectRemainders(state, below: node, trie, &path, into: &found, limit: limit) ? found : nil
    }
  }

  func plainFollowers(_ state: StateID) -> [[UInt8]] {
    program.lock.withLock { _ in automaton.plainFollowers(state) }
  }

  func shortestCompletion(_ state: StateID) -> [UInt8]? {
    program.lock.withLock { _ in automaton.shortestCompletion(state) }
  }
}
