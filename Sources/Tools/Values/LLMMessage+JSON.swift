public import JSON

extension LLMMessage {
  /// The message in the shape of OpenAI's chat API: `role`, `content`, and where there are any `tool_calls`,
  /// `tool_call_id` and `name`.
  public var openAIMessage: JSONValue {
    var message: JSONObject = ["role": .string(role.rawValue), "content": .string(content)]
    if !toolCalls.isEmpty { message["tool_calls"] = .array(toolCalls.map(\.openAICall)) }
    if let toolCallId { message["tool_call_id"] = .string(toolCallId) }
    if let toolName { message["name"] = .string(toolName) }
    return .object(message)
  }

  /// A message from the shape of OpenAI's chat API. The content may be text, `null`, or a list of parts that are text;
  /// the role `developer` counts as `system`, and `function` as `tool`.
  ///
  /// - Throws: ``ToolImportError`` for an unknown role, content that is no text, and calls without a name.
  public init(importing json: JSONValue) throws(ToolImportError) {
    guard let word = json["role"]?.stringValue else { throw ToolImportError(reason: "a message has no role") }
    let spelling = ["developer": "system", "function": "tool"][word] ?? word
    guard let role = Role(rawValue: spelling) else {
      throw ToolImportError(reason: "the role \"\(word)\" is unknown; there are system, user, assistant and tool")
    }
    var calls: [ToolCall] = []
    for call in json["tool_calls"]?.arrayValue ?? [] { calls.append(try ToolCall(importing: call)) }
    self.init(
      role: role, content: try LLMMessage.text(of: json["content"] ?? .null, role: word), toolCalls: calls,
      toolCallId: json["tool_call_id"]?.stringValue, toolName: json["name"]?.stringValue)
  }

  private static func text(of content: JSONValue, role: String) throws(ToolImportError) -> String {
    switch content {
    case .null: return ""
    case .string(let text): return text
    case .array(let parts):
      var text = ""
      for part in parts {
        guard let piece = part.stringValue ?? part["text"]?.stringValue else {
          throw ToolImportError(reason: "a message of the \(role) has a part that is no text")
        }
        text += piece
      }
      return text
    default: throw ToolImportError(reason: "the content of a message of the \(role) is no text")
    }
  }
}

extension Array where Element == LLMMessage {
  /// A transcript in the shape of OpenAI's chat API: the list that it calls `messages`.
  ///
  /// ```swift
  /// let result = try await session.respond(to: "…", tools: tools)
  /// try result.transcript.openAIMessages.compact.write(toFile: "transcript.json", atomically: true, encoding: .utf8)
  /// ```
  public var openAIMessages: JSONValue { .array(map(\.openAIMessage)) }

  /// A transcript from the shape of OpenAI's chat API: a list of messages, or an object with a member `messages`.
  ///
  /// - Throws: ``ToolImportError``, naming the message by its place.
  public init(importing json: JSONValue) throws(ToolImportError) {
    guard let list = json.arrayValue ?? json["messages"]?.arrayValue else {
      throw ToolImportError(reason: "a list of messages is expected")
    }
    self = []
    for (index, item) in list.enumerated() {
      do throws(ToolImportError) {
        append(try LLMMessage(importing: item))
      } catch {
        throw ToolImportError(reason: "message \(index + 1): \(error.reason)")
      }
    }
  }
}
