import JSON

/// A message on its way to the template: as `ChatMessage`, but its content tells our own words from the conversation's.
struct Turn {
  var role: String
  var content: Text
  var toolCalls: [ChatMessage.ToolCall] = []
  var toolCallID: String?
  var name: String?

  init(role: String, content: Text, toolCalls: [ChatMessage.ToolCall] = []) {
    self.role = role
    self.content = content
    self.toolCalls = toolCalls
  }

  /// The message with `developer` taken for `system`, and arguments that come as text read as the object they hold.
  init(_ message: ChatMessage) {
    role = message.role == "developer" ? "system" : message.role
    content = Text(data: message.content)
    toolCallID = message.toolCallID
    name = message.name
    toolCalls = message.toolCalls.map { call in
      var call = call
      if case .string(let text) = call.arguments, let parsed = try? JSONValue(parsing: text, maximumDepth: 64),
        case .object = parsed
      {
        call.arguments = parsed
      }
      return call
    }
  }
}

extension Turn {
  /// The turn as templates read it: a message object of the chat-completion API.
  func value(_ traits: TemplateTraits) -> Value {
    let result = ValueDictionary(minimumCapacity: 4)
    result.set("role", .data(role))
    if traits.wantsNullContent, content.isEmpty, !toolCalls.isEmpty {
      result.set("content", .none)
    } else if traits.wantsContentParts {
      let part = ValueDictionary()
      part.set("type", .data("text"))
      part.set("text", .string(content))
      result.set("content", .list([.dictionary(part)]))
    } else {
      result.set("content", .string(content))
    }
    if !toolCalls.isEmpty { result.set("tool_calls", .list(toolCalls.map { Turn.value($0, traits) })) }
    if let toolCallID { result.set("tool_call_id", .data(toolCallID)) }
    if let name { result.set("name", .data(name)) }
    return .dictionary(result)
  }

  private static func value(_ call: ChatMessage.ToolCall, _ traits: TemplateTraits) -> Value {
    var weight = 0
    let arguments =
      traits.wantsStringArguments ? nil : Value(call.arguments, depth: TemplateLimits.messageDepth, weight: &weight)
    let function = ValueDictionary()
    function.set("name", .data(call.name))
    function.set("arguments", arguments ?? .data(call.arguments.spaced))
    let result = ValueDictionary()
    result.set("id", .data(call.id))
    result.set("type", .data("function"))
    result.set("function", .dictionary(function))
    return .dictionary(result)
  }
}

extension Text {
  /// Texts with `separator`, which is ours, between them.
  static func joined(_ parts: [Text], by separator: String) -> Text {
    var result = Text()
    for (index, part) in parts.enumerated() {
      if index > 0 { result.append(separator.utf8, .template) }
      result.append(part)
    }
    return result
  }
}
