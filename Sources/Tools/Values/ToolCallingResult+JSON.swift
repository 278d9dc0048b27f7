public import JSON

extension ToolCallingResult {
  /// The whole as a document: `text`, `tool_calls`, `tool_results`, `finish_reason`, `limit_reached`, `pending_calls`
  /// where there are any, `usage`, `timings` and the transcript as `messages`; calls and messages in OpenAI's shape.
  public var json: JSONValue {
    var document: JSONObject = [
      "text": .string(text), "tool_calls": .array(toolCalls.map(\.openAICall)),
      "tool_results": .array(toolResults.map(\.json)), "finish_reason": .string(finishReason.rawValue),
      "limit_reached": .boolean(limitReached),
    ]
    if !pendingCalls.isEmpty { document["pending_calls"] = .array(pendingCalls.map(\.openAICall)) }
    document["usage"] = usage.json
    document["timings"] = timings.json
    document["messages"] = transcript.openAIMessages
    return .object(document)
  }

  /// A result from its document: one that waits for approval can go on in another process.
  ///
  /// - Throws: ``ToolImportError``, naming what is missing.
  public init(importing json: JSONValue) throws(ToolImportError) {
    guard let text = json["text"]?.stringValue,
      let reason = json["finish_reason"]?.stringValue.flatMap(FinishReason.init(rawValue:)),
      let messages = json["messages"]
    else { throw ToolImportError(reason: "the result has no text, finish_reason or messages") }
    var results: [ToolResult] = []
    for result in json["tool_results"]?.arrayValue ?? [] { results.append(try ToolResult(importing: result)) }
    self.init(
      text: text, toolCalls: try ToolCallingResult.calls(json["tool_calls"]), toolResults: results,
      finishReason: reason, limitReached: json["limit_reached"]?.booleanValue ?? false,
      usage: try TokenUsage(importing: json["usage"] ?? .object([:])),
      timings: try GenerationTimings(importing: json["timings"] ?? .object([:])),
      transcript: try [LLMMessage](importing: messages),
      pendingCalls: try ToolCallingResult.calls(json["pending_calls"]))
  }

  private static func calls(_ json: JSONValue?) throws(ToolImportError) -> [ToolCall] {
    var calls: [ToolCall] = []
    for call in json?.arrayValue ?? [] { calls.append(try ToolCall(importing: call)) }
    return calls
  }
}
