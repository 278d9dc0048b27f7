package import JSON

/// A call of a tool by the model.
public struct ToolCall: Sendable, Hashable {
  /// The name of the called tool.
  public let toolName: String
  /// The arguments by the names of the parameters; they satisfy the tool's schema.
  public let arguments: [String: ToolValue]
  /// A name for this call within its conversation; results carry it as ``ToolResult/callId``.
  public let id: String
  /// The arguments in the order in which the model wrote them.
  package let written: JSONObject

  /// A call of a tool, for tests and for programs that make calls themselves.
  public init(toolName: String, arguments: [String: ToolValue], id: String = "") {
    self.toolName = toolName
    self.arguments = arguments
    self.id = id
    written = ToolValue.json(of: arguments)
  }

  /// A call as the model wrote it.
  package init(toolName: String, written: JSONObject, schema: JSONValue, id: String) {
    self.toolName = toolName
    self.written = written
    self.id = id
    arguments = ToolValue.arguments(written, schema: schema)
  }

  /// Whether both calls name the same tool with the same arguments.
  package func repeats(_ other: ToolCall) -> Bool {
    toolName == other.toolName && arguments == other.arguments
  }
}

extension ToolCall: CustomStringConvertible {
  /// The call as it would look in Swift: `get_weather(city: "San Francisco")`.
  public var description: String {
    let list = written.members.map { "\($0.key): \($0.value.compact)" }
    return "\(toolName)(\(list.joined(separator: ", ")))"
  }
}

extension ToolValue {
  /// Arguments by the types that `schema` gives them: a whole number becomes ``number(_:)`` where the schema says
  /// "number", and ``integer(_:)`` where it says "integer".
  package static func arguments(_ written: JSONObject, schema: JSONValue) -> [String: ToolValue] {
    let properties = schema["properties"]
    var arguments: [String: ToolValue] = [:]
    for (key, value) in written.members {
      arguments[key] = typed(value, schema: properties?[key])
    }
    return arguments
  }

  private static func typed(_ value: JSONValue, schema: JSONValue?) -> ToolValue {
    switch value {
    case .integer(let integer):
      return schema?["type"] == .string("number") ? .number(Double(integer)) : .integer(integer)
    case .double(let double):
      if schema?["type"] == .string("integer"), let integer = Int(exactly: double) { return .integer(integer) }
      return .number(double)
    case .array(let items):
      return .array(items.map { typed($0, schema: schema?["items"]) })
    case .object(let object):
      return .object(arguments(object, schema: schema ?? .null))
    default:
      return ToolValue(value)
    }
  }
}
