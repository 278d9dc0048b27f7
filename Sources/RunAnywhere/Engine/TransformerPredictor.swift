package import Transformer

/// The transformer as the generation loop sees it.
package final class TransformerPredictor: TokenPredictor {
  private let context: InferenceContext

  package init(_ context: InferenceContext) {
    self.context = context
  }

  package var contextLength: Int { context.contextLength }
  package var count: Int { context.count }

  package func rewind(to count: Int) { context.rewind(to: count) }

  package func forward(_ tokens: [Int], logits: WantedLogits, isCancelled: () -> Bool) throws {
    switch logits {
    case .none: try context.forward(tokens, logits: .none, isCancelled: isCancelled)
    case .tail(let count): try context.forward(tokens, logits: .tail(count), isCancelled: isCancelled)
    case .chosen(let ids): try context.forward(tokens, choosing: ids, isCancelled: isCancelled)
    }
  }

  package func logits(at index: Int) -> [Float] { Array(context.logits(at: index)) }

  package func logits(of ids: [Int], at index: Int) -> [Float] {
    let row = context.logits(at: index)
    return ids.map { row.indices.contains($0) ? row[$0] : -.infinity }
  }
}

extension TransformerPredictor: SnapshotPredictor {
  package var fingerprint: String { "\(context.model.fingerprint)" }

  package func writeSnapshot(to write: (UnsafeRawBufferPointer) throws -> Void) throws {
    try context.writeSnapshot(to: write)
  }

  package func restoreSnapshot(_ bytes: UnsafeRawBufferPointer) throws {
    try context.restoreSnapshot(bytes)
  }
}
