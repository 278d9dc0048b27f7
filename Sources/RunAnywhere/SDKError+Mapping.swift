import ChatTemplate
import GGUF
import Grammar
import JSON
import Sampling
import Tokenizer
import Tools
import Transformer

extension SDKError {
  /// Runs `body`; whatever it throws becomes an `SDKError`.
  static func mapping<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> sending Result
  ) async throws -> sending Result {
    do {
      return try await body()
    } catch {
      throw SDKError(mapping: error)
    }
  }

  /// Any error of the floors below, in the API's words.
  package init(mapping error: any Error) {
    switch error {
    case let error as SDKError: self = error
    case is CancellationError: self.init(code: .cancelled, message: "the generation was cancelled")
    case let error as ToolLoopError: self.init(loop: error)
    case let error as ContextOverflow:
      self.init(
        code: .contextTooLong,
        message: "the prompt has \(error.tokens) tokens, and the model's context holds \(error.limit); shorten the "
          + "prompt or the history, or load the model with a larger context", underlyingError: error)
    case let error as GrammarError:
      self.init(code: .validationFailed, message: "the schema can't be honoured: \(error)", underlyingError: error)
    case let error as JSONError:
      self.init(code: .invalidInput, message: "not valid JSON: \(error)", underlyingError: error)
    case let error as TemplateError:
      self.init(code: .processingFailed, message: "\(error)", underlyingError: error)
    case let error as ChatPromptError:
      self.init(code: .notSupported, message: "\(error)", underlyingError: error)
    case let error as ModelError: self.init(model: error)
    case let error as TokenizerError: self.init(tokenizer: error)
    case let error as GGUFError: self.init(file: error)
    case let error as SamplingError:
      self.init(code: .generationFailed, message: "\(error)", underlyingError: error)
    default:
      self.init(code: .processingFailed, message: ErrorText.message(of: error), underlyingError: error)
    }
  }

  private init(loop error: ToolLoopError) {
    switch error {
    case .invalidTools: self.init(code: .validationFailed, message: "\(error)", underlyingError: error)
    default: self.init(code: .invalidInput, message: "\(error)", underlyingError: error)
    }
  }

  private init(file error: GGUFError) {
    let code: ErrorCode =
      switch error.kind {
      case .fileNotFound: .modelNotFound
      case .fileUnusable: .modelLoadFailed
      default: .invalidModelFormat
      }
    self.init(code: code, message: "\(error)", underlyingError: error)
  }

  private init(model error: ModelError) {
    let code: ErrorCode =
      switch error {
      case .cancelled: .cancelled
      case .outOfMemory: .insufficientMemory
      case .contextFull: .contextTooLong
      case .contextLength: .invalidInput
      case .unsupportedArchitecture: .modelIncompatible
      case .file, .missingKey, .invalidValue, .missingTensor, .shape, .invalidTensor: .invalidModelFormat
      case .noTokens, .tokenOutOfRange: .generationFailed
      }
    self.init(code: code, message: "\(error)", underlyingError: error)
  }

  private init(tokenizer error: TokenizerError) {
    let code: ErrorCode =
      switch error {
      case .unsupported: .modelIncompatible
      default: .invalidModelFormat
      }
    self.init(code: code, message: "\(error)", underlyingError: error)
  }
}
