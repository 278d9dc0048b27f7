package import JSON

/// Why a list of messages can't be read; names the message, from 1.
package struct MessageError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension ChatMessage {
  /// The messages of a conversation in the shape of the chat-completion API: a list, or an object with a list
  /// `messages`.
  ///
  ///     [{"role": "user", "content": "Weather in Oslo?"},
  ///      {"role": "assistant", "content": null, "tool_calls": [
  ///        {"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}}]},
  ///      {"role": "tool", "tool_call_id": "1", "content": "21"}]
  ///
  /// Content may be a text, null, or a list of parts of type `text`; arguments may be an object or a text that holds one.
  package static func conversation(_ json: JSONValue) throws(MessageError) -> [ChatMessage] {
    guard let list = json.arrayValue ?? json["messages"]?.arrayValue else {
      throw MessageError("a list of messages is expected, or an object with a list \"messages\"")
    }
    guard !list.isEmpty else { throw MessageError("there are no messages") }
    var messages: [ChatMessage] = []
    for (index, item) in list.enumerated() {
      do {
        messages.append(try ChatMessage(item))
      } catch {
        throw MessageError("message \(index + 1): \(error)")
      }
    }
    return messages
  }

  private init(_ json: JSONValue) throws(MessageError) {
    guard json.objectValue != nil else { throw MessageError("an object is expected, not \(json.shown)") }
    guard let role = json["role"]?.stringValue, !role.isEmpty else {
      throw MessageError("\"role\" is missing: system, user, assistant or tool")
    }
    var calls: [ToolCall] = []
    if let given = json["tool_calls"], !given.isNull {
      guard let list = given.arrayValue else { throw MessageError("\"tool_calls\" is no list") }
      for (index, item) in list.enumerated() {
        do {
          calls.append(try ToolCall(item, number: index))
        } catch {
          throw MessageError("tool call \(index + 1): \(error)")
        }
      }
    }
    self.init(
      role: role, content: try ChatMessage.text(json["content"]), toolCalls: calls,
      toolCallID: json["tool_call_id"]?.stringValue, name: json["name"]?.stringValue)
  }

  private static func text(_ content: JSONValue?) throws(MessageError) -> String {
    switch content {
    case nil, .null: return ""
    case .string(let text): return text
    case .array(let parts):
      var texts: [String] = []
      for part in parts {
        guard let text = part["text"]?.stringValue ?? part.stringValue else {
          throw MessageError("a part of \"content\" has no text: \(part.shown)")
        }
        texts.append(text)
      }
      return texts.joined(separator: "\n")
    case .some(let other): throw MessageError("\"content\" must be a text or a list of parts, not \(other.shown)")
    }
  }
}

extension ChatMessage.ToolCall {
  fileprivate init(_ json: JSONValue, number: Int) throws(MessageError) {
    let function = json["function"] ?? json
    guard let name = function["name"]?.stringValue, !name.isEmpty else { throw MessageError("a name is missing") }
    let id = json["id"]?.stringValue ?? ""
    let arguments: JSONValue
    switch function["arguments"] ?? .null {
    case .null: arguments = .object(JSONObject())
    case .object(let object): arguments = .object(object)
    case .string(let text):
      guard let object = try? JSONValue(parsing: text, maximumDepth: 64), object.objectValue != nil else {
        throw MessageError(
          "\(name): the arguments are a text that holds no JSON object: \(JSONValue.string(text).shown)")
      }
      arguments = object
    case let other: throw MessageError("\(name): the arguments must be an object, not \(other.shown)")
    }
    self.init(id: id, name: name, arguments: arguments)
  }
}

extension JSONValue {
  /// The beginning of the value's text, for messages.
  fileprivate var shown: String {
    let text = compact
    return text.unicodeScalars.count <= 40 ? text : String(text.unicodeScalars.prefix(40)) + "…"
  }
}
