import Foundation

/// Which chat template gives conversations their form.
///
/// ```swift
/// let model = try await LanguageModel(path: path, chatTemplate: .file("my-template.jinja"))
/// print(model.chatTemplate)   // "my-template.jinja, in place of the model's own"
/// ```
public enum ChatTemplateSource: Sendable, Hashable {
  /// The model's own: the one in the file's metadata, with its template for tools if there is one. A file without a
  /// template that can be used gets a form of ours that its vocabulary's control tokens ask for, whatever its name.
  case automatic
  /// The template of this name in the file's metadata: `tokenizer.chat_template.NAME`, `default` for the one without a
  /// name. It serves conversations with and without tools.
  case named(String)
  /// This template, in place of the model's own, and where it comes from, for messages.
  case text(String, origin: String = "the given template")

  /// The template in a text file, in place of the model's own.
  ///
  /// - Throws: ``SDKError`` with `.invalidInput` when the file can't be read.
  public static func file(_ path: String) throws -> ChatTemplateSource {
    do {
      return .text(String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self), origin: path)
    } catch {
      throw SDKError(
        code: .invalidInput, message: "the chat template \(path) can't be read (\(error.localizedDescription))",
        underlyingError: error)
    }
  }
}

/// The chat template that a model uses, and why.
public struct ChatTemplateInfo: Sendable, Hashable, CustomStringConvertible {
  /// Where the template comes from, in words; what stands in its way when there is none.
  public let description: String
  /// The template itself; `nil` when the model has none that can be used, so that only plain completion works.
  public let source: String?
  /// Whether it is the model's own, and not a form of ours or one that the program gave.
  public let isOwn: Bool

  package init(description: String, source: String?, isOwn: Bool) {
    self.description = description
    self.source = source
    self.isOwn = isOwn
  }
}
