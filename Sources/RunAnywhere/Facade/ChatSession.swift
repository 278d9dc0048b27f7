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

  /// Instructions are kept apart from the turns, since both may be changed while a question is being answered.
  private struct State {
    var system: LLMMessage?
    var turns: [LLMMessage]
    var toolNames: [String]
    /// How often the turns were forgotten: an answer to a question of before isn't kept.
    var resets = 0

    init(_ transcript: [LLMMessage], toolNames: [String]) {
      system = transcript.first.flatMap { $0.role == .system ? $0 : nil }
      turns = Array(transcript.dropFirst(system == nil ? 0 : 1))
      self.toolNames = toolNames
    }

    var transcript: [LLMMessage] { (system.map { [$0] } ?? []) + turns }

    mutating func setSystem(_ text: String?) {
      system = text.flatMap { $0.isEmpty ? nil : .system($0) }
    }
  }

  /// A new conversation, or one that goes on after `history`; a system prompt takes the place of the one that `history`
  /// begins with.
  public convenience init(_ model: LanguageModel, systemPrompt: String? = nil, history: [LLMMessage] = []) {
    self.init(model, history: history, toolNames: [])
    if let systemPrompt { setSystemPrompt(systemPrompt) }
  }

  init(_ model: LanguageModel, history: [LLMMessage], toolNames: [String]) {
    self.model = model
    slot = model.engine.makeSlot()
    state = Mutex(State(history, toolNames: toolNames))
  }

  /// The conversation so far, instructions first.
  public var transcript: [LLMMessage] { state.withLock { $0.transcript } }

  /// The names of the tools that the conversation was offered, in the order in which they came. A restored session has
  /// the names of the saved one; the program gives the tools themselves with its next question.
  public var toolNames: [String] { state.withLock { $0.toolNames } }

  /// The instructions that stand before the conversation.
  public var systemPrompt: String? { state.withLock { $0.system?.content } }

  /// Replaces the instructions that stand before the conversation; `nil` or empty removes them. The next answer computes
  /// its prompt anew; one that is being given goes on under the old ones.
  public func setSystemPrompt(_ text: String?) { state.withLock { $0.setSystem(text) } }

  /// Forgets all turns but the system's. A question that is being answered is answered to its end, but leaves no turn.
  public func reset() {
    state.withLock { state in
      state.turns.removeAll { $0.role != .system }
      state.resets += 1
    }
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
        let before = state.withLock { $0 }
        var options = options
        options.history = before.transcript
        let result = try await model.run(tools.map(\.registered), options: options, slot: slot, emit: onEvent) {
          try await $0.run(prompt)
        }
        take(result.transcript, tools, after: before)
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
        let before = state.withLock { $0 }
        let then = State(previous.transcript, toolNames: []).turns
        guard before.turns.count == then.count,
          before.turns.last?.toolCalls.map(\.id) == then.last?.toolCalls.map(\.id)
        else {
          throw SDKError(
            code: .invalidInput,
            message: "the conversation has gone on: \(then.count) messages then, "
              + "\(before.turns.count) now. Give the session's last answer")
        }
        let waiting = previous.replacing(transcript: before.transcript)
        let result = try await model.run(tools.map(\.registered), options: options, slot: slot, emit: onEvent) {
          try await $0.resume(waiting, results: results)
        }
        take(result.transcript, tools, after: before)
        return result
      }
    }
  }

  /// Keeps the turns of a generation that began with `before`. Instructions that have changed since stay as they are.
  private func take(_ transcript: [LLMMessage], _ tools: [Tool], after before: State) {
    state.withLock { state in
      guard state.resets == before.resets else { return }
      state.turns = State(transcript, toolNames: []).turns
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
        let before = state.withLock { $0 }
        let question = LLMMessage.user(prompt)
        let result = try await model.generate(
          before.transcript + [question], options: options, slot: slot, onText: onText)
        take(before.transcript + [question, .assistant(result.text)], [], after: before)
        return result
      }
    }
  }
}

extension ToolCallingResult {
  /// The same result at the end of another conversation.
  fileprivate func replacing(transcript: [LLMMessage]) -> ToolCallingResult {
    ToolCallingResult(
      text: text, toolCalls: toolCalls, toolResults: toolResults, finishReason: finishReason,
      limitReached: limitReached, usage: usage, timings: timings, transcript: transcript, pendingCalls: pendingCalls,
      weighing: weighing)
  }
}
