import Arguments
import Foundation
import RunAnywhere

/// What `run` and `chat` share: a loaded model, a session, the tools and options of its answers, and how they are printed.
struct Conversation: Sendable {
  let model: LanguageModel
  private(set) var session: ChatSession
  let options: LLMGenerationOptions
  let tools: ToolOptions?
  private let calling: ToolCallingOptions
  /// Where the session is kept from one run to the next.
  let file: URL?
  let isVerbose: Bool

  /// The options of both commands.
  static let options =
    [
      ModelOptions.model,
      ModelOptions.chatTemplate,
      Option("system", value: "TEXT", "instructions that stand before the conversation"),
      Option("session", value: "FILE", "go on with the conversation in FILE, and keep it there"),
      Option("json-schema", short: "j", value: "SCHEMA", "hold every answer to this JSON Schema (its text, or a file)"),
    ] + ToolOptions.options + GenerationOptions.options(temperature: temperature, maxTokens: maxTokens)
    + [Option("verbose", short: "v", "print token counts and speed on standard error")]

  private static let temperature = 0.7
  private static let maxTokens = 1024

  init(_ arguments: Arguments) async throws {
    let chosen = try GenerationOptions(arguments, temperature: Self.temperature, maxTokens: Self.maxTokens)
    var options = LLMGenerationOptions(chosen)
    options.schema = try Self.schema(arguments)
    self.options = options
    tools = try ToolOptions(arguments)
    if let tools {
      guard options.schema == nil else { throw UsageError("--json-schema and --tools exclude each other") }
      if let bare = tools.tools.first(where: { $0.command == nil }) {
        throw Failure("\(bare.definition.name) has no command; in a conversation every tool needs one")
      }
    }
    calling = tools?.calling(chosen) ?? ToolCallingOptions()
    isVerbose = arguments.flag("verbose")
    file = try arguments.string("session").map(Self.sessionFile)
    model = try await ModelOptions.load(arguments, chosen)
    let system = arguments.string("system")
    if let file, FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
      session = try await ChatSession(restoring: file, model: model)
      if let system { session.setSystemPrompt(system) }
    } else {
      session = ChatSession(model, systemPrompt: system)
    }
  }

  /// Goes on with the conversation in a file.
  mutating func load(_ url: URL) async throws {
    session = try await ChatSession(restoring: url, model: model)
  }

  /// Answers on standard output, piece by piece.
  func answer(_ prompt: String) async throws {
    if let tools {
      try await answer(prompt, tools)
    } else {
      try await answerPlainly(prompt)
    }
    if let file { try await session.save(to: file) }
  }

  /// Answers as one JSON document.
  func document(_ prompt: String) async throws {
    if let tools {
      let result = try await session.respond(to: prompt, tools: tools.handlers, options: calling)
      try Console.print(Report.document(result, model: model.name).compact)
      note(result.finishReason, result.usage, result.timings)
    } else {
      let result = try await session.respond(to: prompt, options: options)
      try Console.print(Report.document(result).compact)
      note(result.finishReason, result.usage, result.timings)
    }
    if let file { try await session.save(to: file) }
  }

  private func answerPlainly(_ prompt: String) async throws {
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
      note(result.finishReason, result.usage, result.timings)
    } catch {
      answer.result.cancel()
      if !endsLine && !(error is ReaderGone) { Console.output.write("\n") }
      throw error
    }
  }

  private func answer(_ prompt: String, _ tools: ToolOptions) async throws {
    let (gone, notice) = AsyncStream<Void>.makeStream()
    let printer = ToolPrinter(showsText: true) { notice.yield() }
    let session = session
    let calling = calling
    let result = try await withThrowingTaskGroup(of: ToolCallingResult?.self) { group in
      group.addTask {
        try await session.respond(to: prompt, tools: tools.handlers, options: calling) { printer.show($0) }
      }
      group.addTask {
        for await _ in gone { throw ReaderGone() }
        return nil
      }
      defer { group.cancelAll() }
      do {
        return try await group.next() ?? nil
      } catch {
        try printer.finish()
        throw error
      }
    }
    try printer.finish()
    if let result { note(result.finishReason, result.usage, result.timings) }
  }

  private func note(_ reason: FinishReason, _ usage: TokenUsage, _ timings: GenerationTimings) {
    let style = Style(.error)
    if reason == .length { Console.error.line(style.dim("(cut off: the limit of tokens is reached)")) }
    if isVerbose { Console.error.line(style.dim(Report.line(usage, timings))) }
  }

  /// Where the conversation is kept. What would keep it from being written is better said before the first answer.
  private static func sessionFile(_ path: String) throws(Failure) -> URL {
    let file = URL(filePath: path)
    let folder = file.resolvingSymlinksInPath().deletingLastPathComponent().path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: folder) else {
      throw Failure("--session \(path): there is no folder \(folder)")
    }
    return file
  }

  private static func schema(_ arguments: Arguments) throws -> JSONSchema? {
    guard let text = arguments.string("json-schema") else { return nil }
    // A schema is an object, true or false; what begins otherwise names a file, also behind an @.
    let isText = text.drop { $0.isWhitespace }.hasPrefix("{") || text == "true" || text == "false"
    let path = text.hasPrefix("@") ? String(text.dropFirst()) : text
    guard isText else { return JSONSchema(try InputFile.json(InputFile.bytes(path), name: path)) }
    do {
      return try JSONSchema(parsing: text)
    } catch {
      throw UsageError("--json-schema: \(error)")
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
