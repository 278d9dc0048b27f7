public import Foundation

/// Everything that the API throws.
///
/// ```swift
/// do {
///   let result = try await RunAnywhere.generateWithTools(prompt: prompt, options: options)
///   print(result.text)
/// } catch let error as SDKError {
///   switch error.code {
///   case .notInitialized: print("Load a model first")
///   default: print(error.message)
///   }
/// }
/// ```
public struct SDKError: Error, Sendable {
  /// The kind of an error.
  public enum ErrorCode: String, Sendable, Hashable, CaseIterable {
    /// No model is loaded.
    case notInitialized
    /// An argument can't be used: an empty prompt, a negative limit, a tool choice that names no tool.
    case invalidInput
    /// No model of this name is where models are looked for.
    case modelNotFound
    /// The model's file can't be read.
    case modelLoadFailed
    /// The file is not a model, or a damaged one.
    case invalidModelFormat
    /// The file is a model that this engine can't run.
    case modelIncompatible
    /// Not enough memory.
    case insufficientMemory
    /// The prompt is longer than the model's context.
    case contextTooLong
    /// The model gave no usable output.
    case generationFailed
    /// Something else failed while a request was processed.
    case processingFailed
    /// A tool's definition, or a schema, can't be used.
    case validationFailed
    /// A saved session is damaged, of another version, or of another model.
    case invalidSession
    /// A download failed.
    case downloadFailed
    /// A file does not have the checksum it should have.
    case checksumMismatch
    /// The work was cancelled.
    case cancelled
    /// Something took too long.
    case timeout
    /// Not supported by this model or on this platform.
    case notSupported
  }

  /// The kind of the error.
  public let code: ErrorCode
  /// What happened, and what to do, in one line.
  public let message: String
  /// The error that led to this one, if there is one.
  public let underlyingError: (any Error)?

  /// An error of the API.
  public init(code: ErrorCode, message: String, underlyingError: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlyingError = underlyingError
  }
}

extension SDKError: Equatable {
  /// Whether both have the same code and message.
  public static func == (left: SDKError, right: SDKError) -> Bool {
    left.code == right.code && left.message == right.message
  }
}

extension SDKError: LocalizedError, CustomStringConvertible {
  /// The message.
  public var errorDescription: String? { message }

  /// Code and message.
  public var description: String { "\(code.rawValue): \(message)" }
}
