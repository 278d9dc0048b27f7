package import JSON

extension ToolDefinition {
  /// The tool as chat templates expect it: `{"type": "function", "function": {"name", "description", "parameters"}}`.
  package var openAIForm: JSONValue {
    var function = JSONObject()
    function["name"] = .string(name)
    function["description"] = .string(description)
    function["parameters"] = shownSchema
    var tool = JSONObject()
    tool["type"] = .string("function")
    tool["function"] = .object(function)
    return .object(tool)
  }

  /// The schema that the model reads: an object with a `properties` member even when there are none.
  private var shownSchema: JSONValue {
    guard case .object(var object) = argumentSchema.value else { return argumentSchema.value }
    if object["type"] == nil { object["type"] = .string("object") }
    if object["properties"] == nil { object["properties"] = .object(JSONObject()) }
    return .object(object)
  }
}

extension ToolParameterType {
  /// The JSON Schema of the type.
  package var schema: JSONValue {
    var object = JSONObject()
    switch self {
    case .string: object["type"] = .string("string")
    case .number: object["type"] = .string("number")
    case .integer: object["type"] = .string("integer")
    case .boolean: object["type"] = .string("boolean")
    case .array(let item):
      object["type"] = .string("array")
      object["items"] = item.schema
    case .object(let parameters):
      object["type"] = .string("object")
      var properties = JSONObject()
      for parameter in parameters { properties[parameter.name] = parameter.schema }
      object["properties"] = .object(properties)
      object["required"] = .array(parameters.filter(\.required).map { .string($0.name) })
    }
    return .object(object)
  }
}

extension ToolParameter {
  /// The JSON Schema of the parameter: its type, description and allowed values.
  package var schema: JSONValue {
    guard case .object(var object) = type.schema else { return type.schema }
    if !description.isEmpty { object["description"] = .string(description) }
    if let enumValues { object["enum"] = .array(enumValues.map(enumValue)) }
    return .object(object)
  }

  /// An allowed value in the type of the parameter; one that isn't JSON of that type stays text and is reported.
  private func enumValue(_ text: String) -> JSONValue {
    switch type {
    case .integer, .number, .boolean: (try? JSONValue(parsing: text)) ?? .string(text)
    default: .string(text)
    }
  }
}
