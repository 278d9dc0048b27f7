/// What a generation with tools led to.
///
/// ```swift
/// let result = try await RunAnywhere.generateWithTools(prompt: "What's the weather in Miami?")
/// print(result.text, result.toolCalls.map(\.toolName))
/// ```
public struct ToolCallingResult: Sendable {
  /// The answer in natural language. With `autoExecute: false` it may be empty beside the calls.
  public let text: String
  /// All calls that the model made, in order.
  public let toolCalls: [ToolCall]
  /// The results of the calls, in the order of the calls.
  public let toolResults: [ToolResult]
  /// Why the generation ended.
  public let finishReason: FinishReason
  /// Whether calling was ended by `maxToolCalls` or because the model repeated itself.
  public let limitReached: Bool
  /// Tokens counted over all turns.
  public let usage: TokenUsage
  /// How long it took.
  public let timings: GenerationTimings
  /// The whole conversation: history, question, calls, results and answer, fit for `ToolCallingOptions.history`.
  public let transcript: [LLMMessage]
  /// The calls whose results are still missing (`autoExecute: false`).
  public let pendingCalls: [ToolCall]
  /// What the choice between an answer and a call was made by, before the first token; `nil` where there was no such choice.
  public let weighing: CallWeighing?

  package init(
    text: String, toolCalls: [ToolCall], toolResults: [ToolResult], finishReason: FinishReason, limitReached: Bool,
    usage: TokenUsage, timings: GenerationTimings, transcript: [LLMMessage], pendingCalls: [ToolCall],
    weighing: CallWeighing? = nil
  ) {
    self.text = text
    self.toolCalls = toolCalls
    self.toolResults = toolResults
    self.finishReason = finishReason
    self.limitReached = limitReached
    self.usage = usage
    self.timings = timings
    self.transcript = transcript
    self.pendingCalls = pendingCalls
    self.weighing = weighing
  }
}

/// Why a generation ended.
public enum FinishReason: String, Sendable, Hashable, Codable {
  /// The model ended its turn, or a stop text came.
  case stop
  /// The token limit or the end of the context was reached.
  case length
  /// The model made calls that the program is to run (`autoExecute: false`).
  case toolCalls = "tool_calls"
  /// The generation was cancelled.
  case cancelled
}

/// Tokens of a generation.
public struct TokenUsage: Sendable, Hashable {
  /// Tokens of the prompts, cached ones included.
  public var promptTokens: Int
  /// Prompt tokens that were already in the KV cache and cost nothing.
  public var cachedTokens: Int
  /// Tokens generated, forced ones included.
  public var generatedTokens: Int
  /// Generated tokens that only one text could continue with, and which the model was not asked for.
  public var forcedTokens: Int
  /// Tokens that were copied from earlier text and checked by the model in one pass.
  public var draftedTokens: Int
  /// Generated tokens that were drafted before.
  public var copiedTokens: Int
  /// Tokens that the model ran beside the prompt and the answer: to weigh calls against an answer, to compare the names of
  /// tools and the values of arguments as a whole, and, with the first request for a set of tools, to find out what the
  /// model leans to when nothing is asked. They cost time like other tokens. What was run of the prompt's own beginning for
  /// that is counted here and then found in the cache.
  public var weighedTokens: Int

  /// A count of tokens.
  public init(
    promptTokens: Int = 0, cachedTokens: Int = 0, generatedTokens: Int = 0, forcedTokens: Int = 0,
    draftedTokens: Int = 0, copiedTokens: Int = 0, weighedTokens: Int = 0
  ) {
    self.promptTokens = promptTokens
    self.cachedTokens = cachedTokens
    self.generatedTokens = generatedTokens
    self.forcedTokens = forcedTokens
    self.draftedTokens = draftedTokens
    self.copiedTokens = copiedTokens
    self.weighedTokens = weighedTokens
  }

  /// Prompt tokens that had to be computed.
  public var prefilledTokens: Int { promptTokens - cachedTokens }

  package static func += (total: inout TokenUsage, part: TokenUsage) {
    for (_, count) in members { total[keyPath: count] += part[keyPath: count] }
  }
}

/// The time that a generation took, in seconds.
public struct GenerationTimings: Sendable, Hashable {
  /// From the start of the first turn to its first generated token, with all that is weighed before it.
  public var timeToFirstToken: Double
  /// Computing prompts.
  public var prefill: Double
  /// Generating tokens.
  public var decode: Double
  /// Prompt tokens computed a second; 0 when none were.
  public var prefillTokensPerSecond: Double
  /// Tokens generated a second; 0 when none were.
  public var decodeTokensPerSecond: Double

  package init(timeToFirstToken: Double = 0, prefill: Double = 0, decode: Double = 0, usage: TokenUsage = TokenUsage())
  {
    self.timeToFirstToken = timeToFirstToken
    self.prefill = prefill
    self.decode = decode
    prefillTokensPerSecond = prefill > 0 ? Double(usage.prefilledTokens) / prefill : 0
    decodeTokensPerSecond = decode > 0 ? Double(usage.generatedTokens) / decode : 0
  }
}

/// An event of a streamed generation with tools.
public enum ToolCallingEvent: Sendable {
  /// More of the answer, or of the text around calls.
  case text(String)
  /// The model has named the tool that it calls.
  case toolCallStarted(String)
  /// More of the arguments of the call that has started, as JSON text.
  case toolCallArguments(String)
  /// A call is complete.
  case toolCall(ToolCall)
  /// The result of a call.
  case toolResult(ToolResult)
  /// The generation is over; always the last event.
  case finished(ToolCallingResult)
}
