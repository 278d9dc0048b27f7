import Foundation
import GGUF
import Tensor
import Tokenizer
import Transformer

extension LanguageModel {
  /// Loads the model in a GGUF file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - contextLength: the most tokens of a conversation; `nil` takes what the model was made for. Memory is taken as
  ///     the conversation grows.
  ///   - threads: threads that compute; `nil` takes as many as the process may use.
  ///   - chatTemplate: the form of conversations; the model's own unless said otherwise. See ``chatTemplate``.
  /// - Throws: ``SDKError``: `.modelNotFound`, `.modelLoadFailed`, `.invalidModelFormat`, `.modelIncompatible`, naming
  ///   the key or tensor and the reason.
  public convenience init(
    path: String, contextLength: Int? = nil, threads: Int? = nil, chatTemplate: ChatTemplateSource = .automatic
  ) async throws {
    let engine = try await BlockingWork.run {
      do {
        return try Engine(path: path, contextLength: contextLength, threads: threads, chatTemplate: chatTemplate)
      } catch {
        throw SDKError(mapping: error)
      }
    }
    self.init(engine: engine)
  }
}

extension Engine {
  /// An engine over the model in a GGUF file.
  package convenience init(
    path: String, contextLength: Int?, threads: Int?, chatTemplate: ChatTemplateSource = .automatic
  ) throws {
    let file = try GGUFFile(path: path)
    let model = try Model(file)
    let tokenizer = try Tokenizer(file)
    if let threads, threads < 1 {
      throw SDKError(code: .invalidInput, message: "threads is \(threads); it must be at least 1")
    }
    if let contextLength, contextLength < 1 || contextLength > model.configuration.contextLength {
      throw ModelError.contextLength(asked: contextLength, limit: model.configuration.contextLength)
    }
    // Memory is taken as the context fills: what can never be had is refused now, and not in the middle of an answer.
    if let contextLength { try MemoryLimit().check(contextLength: contextLength, of: model) }
    let pool = WorkerPool(threads: threads ?? WorkerPool.allowedThreads)
    let codec = TokenizerCodec(tokenizer)
    self.init(
      name: URL(filePath: path).deletingPathExtension().lastPathComponent, codec: codec,
      renderer: try ChatPromptRenderer(file: file, tokenizer: tokenizer, template: chatTemplate)
    ) {
      TransformerPredictor(try InferenceContext(model: model, pool: pool, contextLength: contextLength))
    }
  }
}

/// Work that blocks, away from Swift's cooperative threads.
enum BlockingWork {
  static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Swift.Result { try work() }) }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
}
