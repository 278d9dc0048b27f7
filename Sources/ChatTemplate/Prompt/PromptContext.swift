import JSON

/// Messages in the shape that templates read: the chat-completion objects of the OpenAI API.
enum PromptContext {
  static func message(_ message: ChatMessage, _ traits: TemplateTraits) -> JSONValue {
    var object = JSONObject()
    object["role"] = .string(message.role)
    object["content"] = content(message.content, traits)
    if !message.toolCalls.isEmpty {
      object["tool_calls"] = .array(message.toolCalls.map { toolCall($0, traits) })
    }
    if let id = message.toolCallID { object["tool_call_id"] = .string(id) }
    if let name = message.name { object["name"] = .string(name) }
    return .object(object)
  }

  private static func content(_ text: String, _ traits: TemplateTraits) -> JSONValue {
    guard traits.wantsContentParts else { return .string(text) }
    return .array([.object(["type": .string("text"), "text": .string(text)])])
  }

  private static func toolCall(_ call: ChatMessage.ToolCall, _ traits: TemplateTraits) -> JSONValue {
    let arguments = traits.wantsStringArguments ? JSONValue.string(call.arguments.spaced) : call.arguments
    return .object([
      "id": .string(call.id),
      "type": .string("function"),
      "function": .object(["name": .string(call.name), "arguments": arguments]),
    ])
  }
}
