/// A predictor whose cache can be kept: written out, and taken up again by a predictor of the same model.
package protocol SnapshotPredictor: TokenPredictor {
  /// What tells models apart.
  var fingerprint: String { get }
  /// Writes the cache in pieces.
  func writeSnapshot(to write: (UnsafeRawBufferPointer) throws -> Void) throws
  /// Replaces the cache by a written one. On an error the cache is as before.
  func restoreSnapshot(_ bytes: UnsafeRawBufferPointer) throws
}

extension Engine {
  /// What tells this engine's model from others; `nil` when its cache can't be kept.
  package func fingerprint(_ slot: GenerationSlot) async throws -> String? {
    try await onThread { try (slot.open() as? any SnapshotPredictor)?.fingerprint }
  }
}

extension GenerationSlot {
  /// Writes the cache, if it can be written.
  ///
  /// - Returns: the tokens whose cache was written; none when nothing was.
  func save(to write: (UnsafeRawBufferPointer) throws -> Void) throws -> [Int] {
    guard let predictor = try open() as? any SnapshotPredictor, !tokens.isEmpty else { return [] }
    try predictor.writeSnapshot(to: write)
    return tokens
  }

  /// Takes up a cache that was written with the tokens in it. On an error nothing is in the cache, and what comes next
  /// computes its prompt from the start.
  func restore(_ stored: [Int], cache: UnsafeRawBufferPointer) throws {
    guard let predictor = try open() as? any SnapshotPredictor else { return }
    clear()
    try predictor.restoreSnapshot(cache)
    guard predictor.count == stored.count else {
      clear()
      throw SDKError(code: .invalidSession, message: "the cache holds \(predictor.count) tokens, not \(stored.count)")
    }
    adopt(stored)
  }
}
