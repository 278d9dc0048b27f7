import Foundation
public import Tools

/// A loaded model. `RunAnywhere` works with one; programs with several make their own.
///
/// ```swift
/// let model = try await LanguageModel(path: "/models/SmolLM2-135M-Instruct.Q4_1.gguf")
/// let answer = try await model.respond(to: "What is the capital of France?")
/// print(answer.text)
/// ```
///
/// The weights stay in the file, which is mapped; several models and processes share its pages. Requests are served one
/// after the other on a thread of the model's own. A model may be used from any task.
public final class LanguageModel: Sendable {
  let engine: Engine

  package init(engine: Engine) {
    self.engine = engine
  }

  /// The model's name: its file's name without the extension.
  public var name: String { engine.name }

  /// Answers a question.
  ///
  /// - Throws: ``SDKError``.
  public func respond(
    to prompt: String, options: LLMGenerationOptions = LLMGenerationOptions()
  ) async throws -> LLMGenerationResult {
    try await generate([.user(prompt)], options: options) { _ in }
  }

  /// Answers a question with JSON that satisfies `schema`.
  ///
  /// - Throws: ``SDKError``; `.validationFailed` when the schema can't be honoured.
  public func respond(
    to prompt: String, generating schema: JSONSchema, options: LLMGenerationOptions = .structured
  ) async throws -> LLMGenerationResult {
    try await respond(to: prompt, options: options.holding(to: schema))
  }

  /// Answers a question in chunks.
  public func streamResponse(
    to prompt: String, options: LLMGenerationOptions = LLMGenerationOptions()
  ) -> LLMStreamingResult {
    stream([.user(prompt)], options: options)
  }

  /// Answers a question with tools; see `RunAnywhere.generateWithTools(prompt:options:)`.
  ///
  /// - Throws: ``SDKError``.
  public func respond(
    to prompt: String, tools: [Tool], options: ToolCallingOptions = ToolCallingOptions(),
    onEvent: @escaping @Sendable (ToolCallingEvent) -> Void = { _ in }
  ) async throws -> ToolCallingResult {
    try await run(tools.map(\.registered), options: options, emit: onEvent) { try await $0.run(prompt) }
  }

  /// Goes on after the program has run the calls that `previous` waits for; see
  /// `RunAnywhere.continueWithToolResults(_:after:options:)`.
  ///
  /// - Throws: ``SDKError``.
  public func respond(
    with results: [ToolResult], after previous: ToolCallingResult, tools: [Tool],
    options: ToolCallingOptions = ToolCallingOptions(),
    onEvent: @escaping @Sendable (ToolCallingEvent) -> Void = { _ in }
  ) async throws -> ToolCallingResult {
    try await run(tools.map(\.registered), options: options, emit: onEvent) {
      try await $0.resume(previous, results: results)
    }
  }

  /// Continues a text as it stands, without the chat template.
  ///
  /// - Throws: ``SDKError``.
  public func complete(
    _ text: String, options: LLMGenerationOptions = LLMGenerationOptions()
  ) async throws -> LLMGenerationResult {
    let collected = TextCollector()
    let request = try request([], options: options)
    let turn = try await SDKError.mapping { [engine] in
      try await engine.complete(text, request: request) { collected.append($0) }
    }
    return LLMGenerationResult(text: collected.text, model: name, turn: turn)
  }

  /// Continues a text as it stands, in chunks.
  public func streamCompletion(
    of text: String, options: LLMGenerationOptions = LLMGenerationOptions()
  ) -> LLMStreamingResult {
    let model = self
    return StreamingTask.start { emit in
      let collected = TextCollector()
      let request = try model.request([], options: options)
      let turn = try await SDKError.mapping {
        try await model.engine.complete(text, request: request) {
          collected.append($0)
          emit($0)
        }
      }
      return LLMGenerationResult(text: collected.text, model: model.name, turn: turn)
    }
  }

  // MARK: For the façade and sessions

  func generate(
    _ messages: [LLMMessage], options: LLMGenerationOptions, slot: GenerationSlot? = nil,
    onText: @escaping @Sendable (String) -> Void
  ) async throws -> LLMGenerationResult {
    let collected = TextCollector()
    let request = try request(messages, options: options)
    let turn = try await SDKError.mapping { [engine] in
      try await engine.generate(request, slot: slot) {
        collected.append($0)
        onText($0)
      }
    }
    return LLMGenerationResult(text: collected.text, model: name, turn: turn)
  }

  func stream(
    _ messages: [LLMMessage], options: LLMGenerationOptions, slot: GenerationSlot? = nil
  ) -> LLMStreamingResult {
    let model = self
    return StreamingTask.start { emit in
      try await model.generate(messages, options: options, slot: slot, onText: emit)
    }
  }

  func run(
    _ tools: [RegisteredTool], options: ToolCallingOptions, slot: GenerationSlot? = nil,
    emit: @escaping @Sendable (ToolCallingEvent) -> Void = { _ in },
    _ body: @escaping @Sendable (ToolLoop) async throws -> ToolCallingResult
  ) async throws -> ToolCallingResult {
    let loop = ToolLoop(
      generator: EngineGenerator(engine: engine, slot: slot), tools: tools, options: options, emit: emit)
    let result = try await SDKError.mapping { try await body(loop) }
    emit(.finished(result))
    return result
  }

  private func request(_ messages: [LLMMessage], options: LLMGenerationOptions) throws -> TurnRequest {
    guard options.maxTokens > 0 else {
      throw SDKError(code: .invalidInput, message: "maxTokens is \(options.maxTokens); it must be at least 1")
    }
    if let last = messages.last {
      guard last.content.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
        throw SDKError(code: .invalidInput, message: "the prompt is empty")
      }
    }
    var messages = messages
    if let system = options.systemPrompt, !system.isEmpty {
      if messages.first?.role == .system { messages.removeFirst() }
      messages.insert(.system(system), at: 0)
    }
    return TurnRequest(
      messages: messages, constraint: options.schema.map(OutputConstraint.document), sampling: options.sampling,
      maxTokens: options.maxTokens, stop: options.stopSequences)
  }
}
