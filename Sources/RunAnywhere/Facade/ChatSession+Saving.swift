public import Foundation
import Tools
import Transformer

extension ChatSession {
  /// Saves the conversation and its KV cache, so that a later process goes on where this one stopped, without computing
  /// the conversation anew.
  ///
  /// ```swift
  /// try await session.save(to: file)
  /// // later, with the same model
  /// let session = try await ChatSession(restoring: file, model: model)
  /// ```
  ///
  /// The names of the tools that the conversation used are kept, the tools themselves are not; see ``toolNames``. A file
  /// that is there already is replaced in one step. A question that is being answered is waited for.
  ///
  /// - Throws: ``SDKError`` when the file can't be written.
  public func save(to url: URL) async throws {
    try await SDKError.mapping {
      try await pass {
        let model = model
        let header = SessionFile.Header(
          model: model.name, fingerprint: try await model.engine.fingerprint(slot), turns: transcript,
          toolNames: toolNames, tokens: [], cacheByteCount: 0)
        let slot = slot
        try await model.engine.onThread {
          try SessionFile.write(header, to: url) { write in try slot.save(to: write) }
        }
      }
    }
  }

  /// The session that ``save(to:)`` wrote, with the same model.
  ///
  /// - Throws: ``SDKError`` with `.invalidSession` when the file is damaged, of another version, or was made with another
  ///   model. A cache in a form that `model` doesn't use (see `cacheType`) is left aside and computed anew.
  public convenience init(restoring url: URL, model: LanguageModel) async throws {
    let file = try await BlockingWork.run { try SessionFile(reading: url) }
    let header = file.header
    self.init(model, history: header.turns, toolNames: header.toolNames)
    let slot = slot
    let path = url.path(percentEncoded: false)
    try await SDKError.mapping {
      if let saved = header.fingerprint, saved != (try await model.engine.fingerprint(slot)) {
        throw SDKError(
          code: .invalidSession,
          message: "\(path): the session was made with another model than \(model.name) (it says \(header.model))")
      }
      try await model.engine.onThread {
        guard !header.tokens.isEmpty else { return }
        do {
          try file.withCache { try slot.restore(header.tokens, cache: $0) }
        } catch {
          slot.clear()
          guard !SDKError.isOtherCacheForm(error) else { return }
          throw SDKError(
            code: .invalidSession, message: "\(path): the session's cache is damaged (\(error))", underlyingError: error
          )
        }
      }
    }
  }
}

extension SDKError {
  /// Whether a cache is whole, but in a form or of a length that the model isn't loaded with.
  fileprivate static func isOtherCacheForm(_ error: any Error) -> Bool {
    switch error {
    case SnapshotError.otherLayout, SnapshotError.tooLong, SnapshotError.unsupportedVersion: true
    default: false
    }
  }
}
