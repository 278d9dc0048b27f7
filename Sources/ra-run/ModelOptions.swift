import Arguments
import Foundation
import RunAnywhere

/// The options that choose a model, and how they find its file.
enum ModelOptions {
  static let model = Option(
    "model", short: "m", value: "MODEL", "a GGUF file, or the name of a downloaded model (default: the small SmolLM2)")

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
    try await LanguageModel(
      path: try path(arguments), contextLength: options.contextLength, threads: options.threads)
  }

  private static func defaultPath(_ folder: ModelFolder) throws -> String {
    let file = folder.url.appending(path: PackagedModel.smolLM2.fileName)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw Failure("the default model isn't here yet: \(Program.name) pull fetches it, or --model names another one")
    }
    return file.path
  }
}
