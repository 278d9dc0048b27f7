public import JSON

extension ToolDefinition {
  /// A tool in the shape that other programs write: OpenAI's (`{"type": "function", "function": {…}}`, or its inside) or
  /// MCP's (`{"name", "description", "inputSchema"}`).
  ///
  /// - Throws: ``ToolImportError`` when there is no name, or the schema is not an object.
  public init(importing json: JSONValue) throws(ToolImportError) {
    let body = json["function"] ?? json
    guard let name = body["name"]?.stringValue, !name.isEmpty else {
      throw ToolImportError(reason: "the tool has no name")
    }
    let description = body["description"]?.stringValue ?? ""
    let schema = body["parameters"] ?? body["inputSchema"] ?? body["input_schema"] ?? .null
    switch schema {
    case .object: self.init(name: name, description: description, schema: JSONSchema(schema))
    case .null: self.init(name: name, description: description, parameters: [])
    default: throw ToolImportError(reason: "the schema of the tool \"\(name)\" is not an object")
    }
  }

  /// The tool in OpenAI's shape.
  public var openAIDefinition: JSONValue { openAIForm }

  /// The tool in MCP's shape.
  public var mcpDefinition: JSONValue {
    ["name": .string(name), "description": .string(description), "inputSchema": argumentSchema.value]
  }
}

/// Why a definition, a call, a message or a result could not be read from its JSON shape.
public struct ToolImportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public let reason: String

  /// What is wrong.
  public var description: String { reason }
}
