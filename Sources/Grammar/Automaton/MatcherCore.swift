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

  /// How much of `text`, which leads to `state`, no token that goes beyond its end can touch.
  func safeLength(_ state: StateID, _ text: [UInt8]) -> Int {
    program.lock.withLock { _ in
      let trie = cache.trie
      for start in max(0, text.count - trie.longest)..<text.count {
        guard let node = trie.node(of: text[start...]) else { continue }
        if automaton.leadsToToken(state, below: node, trie) { return start }
      }
      return text.count
    }
  }

  func shortestCompletion(_ state: StateID) -> [UInt8]? {
    program.lock.withLock { _ in automaton.shortestCompletion(state) }
  }
}
