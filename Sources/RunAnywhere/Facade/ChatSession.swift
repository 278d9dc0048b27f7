import Synchronization
public import Tools

/// A conversation with a model that keeps its turns, and their KV cache: every question prefills only what is new.
///
/// ```swift
/// let session = ChatSession(model, systemPrompt: "Answer in one sentence.")
/// print(try await session.respond(to: "Who wrote Faust?").text)
/// print(try await session.respond(to: "When?").text)
/// ```
///
/// Questions asked at the same time are answered one after the other, each with the turns before it. A question that
/// fails or is cancelled leaves no turn.
public final class ChatSession: Sendable {
  let model: LanguageModel
  let slot: GenerationSlot
  private let state: Mutex<State>
  private let gate = Gate()

  private struct State {
    var turns: [LLMMessage]
    var toolNames: [String]
  }

  /// A new conversation, or one that goes on after `history`.
  public convenience init(_ model: LanguageModel, systemPrompt: String? = nil, history: [LLMMessage] = []) {
    let system = systemPrompt.map { [LLMMessage.system($0)] } ?? []
    self.init(model, history: system + history, toolNames: [])
  }

  init(_ model: LanguageModel, history: [LLMMessage], toolNames: [String]) {
    self.model = model
    slot = model.engine.makeSlot()
    state = Mutex(State(turns: history, toolNames: toolNames))
  }

  /// The conversation so far.
  public var transcript: [LLMMessage] { state.withLock { $0.turns } }

  /// The names of the tools that the conversation was offered, in the order in which they came. A restored session has
  /// the names of the saved one; the program gives the tools themselves with its next question.
  public var toolNames: [String] { state.withLock { $0.toolNames } }

  /// The instructions that stand before the conversation.
  public var systemPrompt: String? {
    state.withLock { state in state.turns.first.flatMap { $0.role == .system ? $0.content : nil } }
  }

  /// Replaces the instructions that stand before the conversation; `nil` or empty removes them. The next answer computes
  /// its prompt anew.
  public func setSystemPrompt(_ text: String?) {
    state.withLock { state in
      if state.turns.first?.role == .system { state.turns.removeFirst() }
      if let text, !text.isEmpty { state.turns.insert(.system(text), at: 0) }
    }
  }

  /// Forgets all turns but the system's.
  public func reset() {
    state.withLock { state in state.turns.removeAll { $0.role != .system } }
  }

  /// Answers a question.
  ///
  /// - Throws: ``SDKError``.
  public func respond(
    to prompt: String, options: LLMGenerationOptions = LLMGenerationOptions()
  ) async throws -> LLMGenerationResult {
    try await respond(to: prompt, options: options) { _ in }
  }

  /// Answers a question with JSON that satisfies `schema`; the JSON becomes the turn.
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
    let session = self
    return StreamingTask.start { emit in
      try await session.respond(to: prompt, options: options, onText: emit)
    }
  }

  /// Answers a question with tools; calls and results become part of the conversation.
  ///
  /// `options.history` is not used; the session is the history.
  ///
  /// - Throws: ``SDKError``.
  public func respond(
    to prompt: String, tools: [Tool], options: ToolCallingOptions = ToolCallingOptions(),
    onEvent: @escaping @Sendable (ToolCallingEvent) -> Void = { _ in }
  ) async throws -> ToolCallingResult {
    try await SDKError.mapping {
      try await gate.pass {
        var options = options
        options.history = transcript
        let result = try await model.run(tools.map(\.registered), options: options, slot: slot, emit: onEvent) {
          try await $0.run(prompt)
        }
        take(result.transcript, tools)
        return result
      }
    }
  }

  /// Goes on after the program has run the calls that `previous`, the session's last answer, waits for
  /// (`autoExecute: false`).
  ///
  /// - Throws: ``SDKError``; `.invalidInput` when the conversation has gone on since `previous`.
  public func respond(
    with results: [ToolResult], after previous: ToolCallingResult, tools: [Tool],
    options: ToolCallingOptions = ToolCallingOptions(),
    onEvent: @escaping @Sendable (ToolCallingEvent) -> Void = { _ in }
  ) async throws -> ToolCallingResult {
    try await SDKError.mapping {
      try await gate.pass {
        let turns = transcript
        guard turns.count == previous.transcript.count,
          turns.last?.toolCalls.map(\.id) == previous.transcript.last?.toolCalls.map(\.id)
        else {
          throw SDKError(
            code: .invalidInput,
            message: "the conversation has gone on: \(previous.transcript.count) messages then, "
              + "\(turns.count) now. Give the session's last answer")
        }
        let result = try await model.run(tools.map(\.registered), options: options, slot: slot, emit: onEvent) {
          try await $0.resume(previous, results: results)
        }
        take(result.transcript, tools)
        return result
      }
    }
  }

  private func take(_ transcript: [LLMMessage], _ tools: [Tool]) {
    state.withLock { state in
      state.turns = transcript
      for tool in tools where !state.toolNames.contains(tool.definition.name) {
        state.toolNames.append(tool.definition.name)
      }
    }
  }

  /// Runs `body` when no question is being answered.
  func pass<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result { try await gate.pass(body) }

  private func respond(
    to prompt: String, options: LLMGenerationOptions, onText: @escaping @Sendable (String) -> Void
  ) async throws -> LLMGenerationResult {
    try await SDKError.mapping {
      try await gate.pass {
        let question = LLMMessage.user(prompt)
        let result = try await model.generate(
          transcript + [question], options: options, slot: slot, onText: onText)
        state.withLock { $0.turns += [question, .assistant(result.text)] }
        return result
      }
    }
  }
}
