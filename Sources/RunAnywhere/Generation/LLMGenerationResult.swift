public import Tools

/// What a plain generation led to.
public struct LLMGenerationResult: Sendable {
  /// The answer.
  public let text: String
  /// Tokens of the prompt.
  public let inputTokens: Int
  /// Tokens generated.
  public let tokensUsed: Int
  /// The name of the model.
  public let modelUsed: String
  /// The whole time in milliseconds.
  public let latencyMs: Double
  /// Tokens generated a second, without the time for the prompt.
  public let tokensPerSecond: Double
  /// Milliseconds to the first token.
  public let timeToFirstTokenMs: Double
  /// Why the generation ended.
  public let finishReason: FinishReason
  /// Tokens counted, cached ones apart.
  public let usage: TokenUsage
  /// The time of its parts.
  public let timings: GenerationTimings

  init(text: String, model: String, turn: GeneratedTurn) {
    self.text = text
    inputTokens = turn.usage.promptTokens
    tokensUsed = turn.usage.generatedTokens
    modelUsed = model
    latencyMs = (turn.timings.prefill + turn.timings.decode) * 1000
    tokensPerSecond = turn.timings.decodeTokensPerSecond
    timeToFirstTokenMs = turn.timings.timeToFirstToken * 1000
    finishReason = turn.reason
    usage = turn.usage
    timings = turn.timings
  }
}

/// A generation that is running.
///
/// ```swift
/// let generation = try await RunAnywhere.generateStream("Tell me about Miami.")
/// for try await chunk in generation.stream { print(chunk, terminator: "") }
/// let result = try await generation.result.value
/// ```
///
/// Dropping the stream, or leaving its loop, stops the work.
public struct LLMStreamingResult: Sendable {
  /// The answer in chunks, in order, each of whole characters.
  public let stream: AsyncThrowingStream<String, any Error>
  /// The whole, once it is over.
  public let result: Task<LLMGenerationResult, any Error>
}
