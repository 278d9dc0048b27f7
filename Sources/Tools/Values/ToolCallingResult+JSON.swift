public import JSON

extension ToolResult {
  /// The result as a document: `call_id`, `name`, `success`, and `result` or `error`.
  public var json: JSONValue {
    var document: JSONObject = [
      "call_id": .string(callId), "name": .string(toolName), "success": .boolean(success),
    ]
    document["result"] = result.map { ToolValue.object($0).json } ?? .null
    document["error"] = error.map { .string($0) } ?? .null
    return .object(document)
  }

  /// A result from its document.
  ///
  /// - Throws: ``ToolImportError`` when it doesn't say whether the call succeeded, or its result is no object.
  public init(importing json: JSONValue) throws(ToolImportError) {
    guard let success = json["success"]?.booleanValue else {
      throw ToolImportError(reason: "a tool's result doesn't say whether it is a success")
    }
    var result: [String: ToolValue]?
    switch json["result"] ?? .null {
    case .null: break
    case .object(let object): result = ToolValue.members(of: object)
    default: throw ToolImportError(reason: "a tool's result is no object")
    }
    self.init(
      success: success, result: result, error: json["error"]?.stringValue, toolName: json["name"]?.stringValue ?? "",
      callId: json["call_id"]?.stringValue ?? "")
  }
}

extension ToolResult: Codable {
  /// Decodes the document that ``json`` is.
  public init(from decoder: any Decoder) throws {
    try self.init(importing: try ToolValue(from: decoder).json)
  }

  /// Encodes the document that ``json`` is.
  public func encode(to encoder: any Encoder) throws {
    try ToolValue(json).encode(to: encoder)
  }
}

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
      usage: TokenUsage(json["usage"] ?? .null), timings: GenerationTimings(json["timings"] ?? .null),
      transcript: try [LLMMessage](importing: messages),
      pendingCalls: try ToolCallingResult.calls(json["pending_calls"]))
  }

  private static func calls(_ json: JSONValue?) throws(ToolImportError) -> [ToolCall] {
    var calls: [ToolCall] = []
    for call in json?.arrayValue ?? [] { calls.append(try ToolCall(importing: call)) }
    return calls
  }
}

extension ToolCallingResult: Codable {
  /// Decodes the document that ``json`` is.
  public init(from decoder: any Decoder) throws {
    try self.init(importing: try ToolValue(from: decoder).json)
  }

  /// Encodes the document that ``json`` is.
  public func encode(to encoder: any Encoder) throws {
    try ToolValue(json).encode(to: encoder)
  }
}

extension TokenUsage {
  /// The counts as a document.
  public var json: JSONValue {
    [
      "prompt_tokens": .integer(promptTokens), "cached_tokens": .integer(cachedTokens),
      "generated_tokens": .integer(generatedTokens), "forced_tokens": .integer(forcedTokens),
      "weighed_tokens": .integer(weighedTokens),
    ]
  }

  init(_ json: JSONValue) {
    func count(_ name: String) -> Int { json[name]?.integerValue ?? 0 }
    self.init(
      promptTokens: count("prompt_tokens"), cachedTokens: count("cached_tokens"),
      generatedTokens: count("generated_tokens"), forcedTokens: count("forced_tokens"),
      weighedTokens: count("weighed_tokens"))
  }
}

extension GenerationTimings {
  /// The times as a document, in seconds and tokens a second.
  public var json: JSONValue {
    [
      "time_to_first_token_s": .double(timeToFirstToken), "prefill_s": .double(prefill), "decode_s": .double(decode),
      "prefill_tps": .double(prefillTokensPerSecond), "decode_tps": .double(decodeTokensPerSecond),
    ]
  }

  init(_ json: JSONValue) {
    func figure(_ name: String) -> Double { json[name]?.doubleValue ?? 0 }
    self.init(
      timeToFirstToken: figure("time_to_first_token_s"), prefill: figure("prefill_s"), decode: figure("decode_s"))
    prefillTokensPerSecond = figure("prefill_tps")
    decodeTokensPerSecond = figure("decode_tps")
  }
}
