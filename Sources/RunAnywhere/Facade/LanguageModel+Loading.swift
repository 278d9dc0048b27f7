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
  ///   - draftLength: the most tokens that are copied from earlier text and checked in one pass, where that pays; 0 for
  ///     none. Answers that repeat their prompt come up to two and a half times faster with 8; the text is the same either way.
  ///   - cacheType: how keys and values are kept.
  /// - Throws: ``SDKError``: `.modelNotFound`, `.modelLoadFailed` for what can't be opened, `.invalidModelFormat` and
  ///   `.modelIncompatible`, naming the key or tensor and the reason; `.invalidInput` for a number out of its range.
  public convenience init(
    path: String, contextLength: Int? = nil, threads: Int? = nil, chatTemplate: ChatTemplateSource = .automatic,
    draftLength: Int = LanguageModel.defaultDraftLength, cacheType: CacheType = .f16
  ) async throws {
    guard draftLength >= 0, draftLength <= LanguageModel.longestDraft else {
      throw SDKError(
        code: .invalidInput,
        message: "draftLength is \(draftLength); it must be between 0 and \(LanguageModel.longestDraft)")
    }
    guard !path.isEmpty else { throw SDKError(code: .invalidInput, message: "the path of the model's file is empty") }
    var settings = EngineSettings()
    settings.draftLength = draftLength
    let engine = try await BlockingWork.run { [settings] in
      do {
        return try Engine(
          path: path, contextLength: contextLength, threads: threads, chatTemplate: chatTemplate, cacheType: cacheType,
          settings: settings)
      } catch {
        throw SDKError(mapping: error)
      }
    }
    self.init(engine: engine)
  }

  /// The most tokens of a draft when the program doesn't say.
  public static let defaultDraftLength = 8
  /// The longest draft that may be asked for.
  public static let longestDraft = 64
}

extension Engine {
  /// An engine over the model in a GGUF file.
  package convenience init(
    path: String, contextLength: Int?, threads: Int?, chatTemplate: ChatTemplateSource = .automatic,
    cacheType: CacheType = .f16, settings: EngineSettings = EngineSettings()
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
    if let contextLength {
      try MemoryLimit().check(contextLength: contextLength, of: model, element: cacheType.element)
    }
    let pool = WorkerPool(threads: threads ?? WorkerPool.allowedThreads)
    let codec = TokenizerCodec(tokenizer)
    self.init(
      name: URL(filePath: path).deletingPathExtension().lastPathComponent, codec: codec,
      renderer: try ChatPromptRenderer(file: file, tokenizer: tokenizer, template: chatTemplate), settings: settings
    ) {
      TransformerPredictor(
        try InferenceContext(model: model, pool: pool, contextLength: contextLength, cache: cacheType.element))
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
