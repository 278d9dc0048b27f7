import Grammar
import Synchronization
import Tools

/// Compiled grammars of a model, and its vocabulary as grammars need it; both made when first wanted.
///
/// Used on the inference thread; the mutex makes it safe wherever.
final class GrammarStore: Sendable {
  private struct State {
    var vocabulary: Vocabulary?
    var compiled: [String: [Grammar]] = [:]
    var order: [String] = []
  }
  private let state = Mutex(State())
  /// What the grammars of the model share.
  private let library = GrammarLibrary()
  private static let capacity = 32

  /// The state at the start of a turn under `constraint`.
  func start(_ constraint: OutputConstraint, codec: any TextCodec) throws -> ConstraintState {
    let state = try begin(constraint, codec: codec)
    guard let calls = constraint.opening?.calls else { return state }
    return state.holding(try begin(calls, codec: codec))
  }

  private func begin(_ constraint: OutputConstraint, codec: any TextCodec) throws -> ConstraintState {
    let (grammars, vocabulary) = try state.withLock { state in
      let vocabulary = state.vocabulary ?? GrammarStore.vocabulary(of: codec)
      state.vocabulary = vocabulary
      if let grammars = state.compiled[constraint.key] { return (grammars, vocabulary) }
      let grammars = try constraint.branches.map {
        try Grammar($0.expression, options: $0.options, library: library)
      }
      state.compiled[constraint.key] = grammars
      state.order.append(constraint.key)
      if state.order.count > GrammarStore.capacity { state.compiled[state.order.removeFirst()] = nil }
      return (grammars, vocabulary)
    }
    return ConstraintState(constraint, grammars: grammars, vocabulary: vocabulary)
  }

  private static func vocabulary(of codec: any TextCodec) -> Vocabulary {
    let tokens = (0..<codec.vocabularySize).map { id -> [UInt8]? in
      let bytes = codec.bytes(of: id)
      return bytes.isEmpty || codec.controlIDs.contains(id) ? nil : bytes
    }
    return Vocabulary(tokens: tokens, controls: codec.controlTokens, endTokens: codec.endOfTurn.sorted())
  }
}
