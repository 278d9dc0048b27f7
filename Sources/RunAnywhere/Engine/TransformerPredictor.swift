import Transformer

/// The transformer as the generation loop sees it.
final class TransformerPredictor: TokenPredictor {
  private let context: InferenceContext

  init(_ context: InferenceContext) {
    self.context = context
  }

  var contextLength: Int { context.contextLength }
  var count: Int { context.count }

  func rewind(to count: Int) { context.rewind(to: count) }

  func forward(_ tokens: [Int], all: Bool, isCancelled: () -> Bool) throws {
    try context.forward(tokens, logits: all ? .all : .last, isCancelled: isCancelled)
  }

  func logits(at index: Int) -> [Float] { Array(context.logits(at: index)) }
}

extension TransformerPredictor: SnapshotPredictor {
  var fingerprint: String { "\(context.model.fingerprint)" }

  func writeSnapshot(to write: (UnsafeRawBufferPointer) throws -> Void) throws {
    try context.writeSnapshot(to: write)
  }

  func restoreSnapshot(_ bytes: UnsafeRawBufferPointer) throws { try context.restoreSnapshot(bytes) }
}
