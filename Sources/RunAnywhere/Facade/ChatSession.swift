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
  private let model: LanguageModel
  private let slot: GenerationSlot
  private let turns: Mutex<[LLMMessage]>
  private let gate = Gate()

  /// A new conversation, or one that goes on after `history`.
  public init(_ model: LanguageModel, systemPrompt: String? = nil, history: [LLMMessage] = []) {
    self.model = model
    slot = model.engine.makeSlot()
    let system = systemPrompt.map { [LLMMessage.system($0)] } ?? []
    turns = Mutex(system + history)
  }

  /// The conversation so far.
  public var transcript: [LLMMessage] { turns.withLock { $0 } }

  /// Forgets all turns but the system's.
  public func reset() {
    turns.withLock { turns in turns.removeAll { $0.role != .system } }
  }

  /// Answers a question.
  ///
  /// - Throws: ``SDKError``.
  public func respond(
    to prompt: String, options: LLMGenerationOptions = LLMGenerationOptions()
  ) async throws -> LLMGenerationResult {
    try await respond(to: prompt, options: options) { _ in }
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
        turns.withLock { $0 = result.transcript }
        return result
      }
    }
  }

  private func respond(
    to prompt: String, options: LLMGenerationOptions, onText: @escaping @Sendable (String) -> Void
  ) async throws -> LLMGenerationResult {
    try await SDKError.mapping {
      try await gate.pass {
        let question = LLMMessage.user(prompt)
        let result = try await model.generate(
          transcript + [question], options: options, slot: slot, onText: onText)
        turns.withLock { $0 += [question, .assistant(result.text)] }
        return result
      }
    }
  }
}
