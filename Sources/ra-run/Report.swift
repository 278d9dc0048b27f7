import RunAnywhere

/// How a generation went, as a line for people and as members of a JSON document.
enum Report {
  /// What `--json` prints, for the help. Members are only ever added.
  static let answerGuide = """
    --json prints one object: "model", "text", "finish_reason" (stop, length), "usage" (counts of tokens) and "timings"
    (seconds, and tokens a second).
    """

  /// The same for answers with tools.
  static let toolsGuide = """
    --json prints one object: "model", "text", "tool_calls" (each "id", "name", "arguments"), "tool_results" (each
    "call_id", "name", "success", "result", "error"), "finish_reason" (stop, length, or tool_calls when calls weren't run),
    "limit_reached", "usage" (counts of tokens), "timings" (seconds, and tokens a second) and "messages", the conversation
    in the shape of OpenAI's API.
    """

  /// `42 tokens of prompt at 512 tokens/s, 17 generated at 95.3 tokens/s, the first after 0.09 s`.
  static func line(_ usage: TokenUsage, _ timings: GenerationTimings) -> String {
    let cached = usage.cachedTokens > 0 ? " (\(usage.cachedTokens) of them cached)" : ""
    let forced = usage.forcedTokens > 0 ? " (\(usage.forcedTokens) of them forced)" : ""
    return """
      \(usage.promptTokens) prompt tokens\(cached), \(Quantity.decimal(timings.prefillTokensPerSecond)) tokens/s; \
      \(usage.generatedTokens) generated\(forced), \(Quantity.decimal(timings.decodeTokensPerSecond)) tokens/s; \
      first token after \(Quantity.seconds(timings.timeToFirstToken))
      """
  }

  /// A plain answer as a document.
  static func document(_ result: LLMGenerationResult) -> JSONValue {
    [
      "model": .string(result.modelUsed), "text": .string(result.text),
      "finish_reason": .string(result.finishReason.rawValue), "usage": result.usage.json,
      "timings": result.timings.json,
    ]
  }

  /// An answer with tool calls as a document.
  static func document(_ result: ToolCallingResult, model: String) -> JSONValue {
    [
      "model": .string(model), "text": .string(result.text),
      "tool_calls": .array(result.toolCalls.map(json)), "tool_results": .array(result.toolResults.map(\.json)),
      "finish_reason": .string(result.finishReason.rawValue), "limit_reached": .boolean(result.limitReached),
      "usage": result.usage.json, "timings": result.timings.json, "messages": result.transcript.openAIMessages,
    ]
  }

  private static func json(_ call: ToolCall) -> JSONValue {
    ["id": .string(call.id), "name": .string(call.toolName), "arguments": ToolValue.object(call.arguments).json]
  }
}
