import Arguments
import Foundation
import RunAnywhere

/// What `run` and `chat` share: a loaded model, the options of its answers, and how they are printed.
struct Conversation: Sendable {
  let model: LanguageModel
  let session: ChatSession
  let options: LLMGenerationOptions
  let isVerbose: Bool

  /// The options of both commands.
  static let options =
    [
      ModelOptions.model,
      ModelOptions.chatTemplate,
      Option("system", value: "TEXT", "instructions that stand before the conversation"),
      Option("json-schema", short: "j", value: "SCHEMA", "hold every answer to this JSON Schema (its text, or @FILE)"),
    ] + GenerationOptions.options(temperature: temperature, maxTokens: maxTokens)
    + [Option("verbose", short: "v", "print token counts and speed on standard error")]

  private static let temperature = 0.7
  private static let maxTokens = 1024

  init(_ arguments: Arguments) async throws {
    let chosen = try GenerationOptions(arguments, temperature: Self.temperature, maxTokens: Self.maxTokens)
    var options = LLMGenerationOptions(chosen)
    options.schema = try Self.schema(arguments)
    self.options = options
    isVerbose = arguments.flag("verbose")
    model = try await ModelOptions.load(arguments, chosen)
    session = ChatSession(model, systemPrompt: arguments.string("system"))
  }

  /// Answers on standard output, piece by piece.
  func answer(_ prompt: String) async throws {
    let printer = AnswerPrinter()
    let answer = session.streamResponse(to: prompt, options: options)
    var endsLine = true
    do {
      for try await piece in answer.stream {
        try printer.print(piece)
        endsLine = piece.hasSuffix("\n")
      }
      let result = try await answer.result.value
      if !endsLine || result.text.isEmpty { try Console.print("") }
      note(result)
    } catch {
      answer.result.cancel()
      if !endsLine && !(error is ReaderGone) { Console.output.write("\n") }
      throw error
    }
  }

  /// Answers as one JSON document.
  func document(_ prompt: String) async throws {
    let result = try await session.respond(to: prompt, options: options)
    try Console.print(Report.document(result).compact)
    note(result)
  }

  private func note(_ result: LLMGenerationResult) {
    let style = Style(.error)
    if result.finishReason == .length {
      Console.error.line(style.dim("(cut off: the limit of tokens is reached)"))
    }
    if isVerbose { Console.error.line(style.dim(Report.line(result.usage, result.timings))) }
  }

  private static func schema(_ arguments: Arguments) throws -> JSONSchema? {
    guard let text = arguments.string("json-schema") else { return nil }
    do {
      guard text.hasPrefix("@") else { return try JSONSchema(parsing: text) }
      return try JSONSchema(parsing: String(contentsOfFile: String(text.dropFirst()), encoding: .utf8))
    } catch let error as JSONError {
      throw UsageError("--json-schema: \(error)")
    } catch {
      throw Failure("--json-schema: \(text.dropFirst()) can't be read (\(error.localizedDescription))")
    }
  }
}

extension LLMGenerationOptions {
  /// The options given on the command line.
  init(_ options: GenerationOptions) {
    self.init(
      maxTokens: options.maxTokens, temperature: options.temperature, topP: options.topP, stopSequences: options.stop,
      topK: options.topK, minP: options.minP, seed: options.seed, repetitionPenalty: options.repetitionPenalty)
  }
}
