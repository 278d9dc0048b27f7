public import JSON

extension ToolCall {
  /// The call in OpenAI's shape: `{"id", "type": "function", "function": {"name", "arguments"}}`, the arguments as JSON
  /// text in the order in which the model wrote them.
  public var openAICall: JSONValue {
    var call = JSONObject()
    if !id.isEmpty { call["id"] = .string(id) }
    call["type"] = "function"
    call["function"] = ["name": .string(toolName), "arguments": .string(JSONValue.object(written).compact)]
    return .object(call)
  }

  /// A call from OpenAI's shape, or from its inside (`{"name", "arguments"}`); the arguments may be an object or its text.
  ///
  /// - Throws: ``ToolImportError`` when there is no name, or the arguments are no object.
  public init(importing json: JSONValue) throws(ToolImportError) {
    let body = json["function"] ?? json
    guard let name = body["name"]?.stringValue else { throw ToolImportError(reason: "a tool call has no name") }
    let id = json["id"]?.stringValue ?? ""
    switch body["arguments"] ?? body["parameters"] ?? .null {
    case .null:
      self.init(toolName: name, arguments: [:], id: id)
    case .object(let object):
      self.init(toolName: name, written: object, schema: .null, id: id)
    case .string(let text):
      if text.isEmpty {
        self.init(toolName: name, arguments: [:], id: id)
        return
      }
      guard let object = (try? JSONValue(parsing: text))?.objectValue else {
        throw ToolImportError(reason: "the arguments of the call of \"\(name)\" are not the text of a JSON object")
      }
      self.init(toolName: name, written: object, schema: .null, id: id)
    default:
      throw ToolImportError(reason: "the arguments of the call of \"\(name)\" are not an object")
    }
  }
}
