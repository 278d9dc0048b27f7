public import JSON

/// What the model is told about a tool: its name, what it does, and what it takes.
///
/// ```swift
/// let weather = ToolDefinition(
///   name: "get_weather",
///   description: "Get current weather for a city",
///   parameters: [ToolParameter(name: "city", type: .string, description: "City name")])
/// ```
///
/// Names may hold letters, digits, `_`, `-` and `.`, up to 64 of them. A definition that breaks a rule is kept and
/// reported by `validateTools()` and by the next generation; see ``ToolIssue``.
public struct ToolDefinition: Sendable, Hashable {
  /// The name by which the model calls the tool.
  public let name: String
  /// What the tool does; the model decides by it when to call.
  public let description: String
  /// The parameters in the order in which the model sees and writes them. Empty when a raw schema was given.
  public let parameters: [ToolParameter]
  /// The raw JSON Schema given instead of parameters.
  public let schema: JSONSchema?
  /// Whether a call that repeats the one before it counts as well: for tools that give something else each time, such as
  /// dice, or that do something each time.
  ///
  /// Otherwise (default) a call that is written twice in one turn runs once, and one that repeats an earlier turn's is
  /// answered from the result of that: models stutter.
  public let allowsRepeats: Bool

  /// A tool described by a list of parameters.
  public init(name: String, description: String, parameters: [ToolParameter], allowsRepeats: Bool = false) {
    self.name = name
    self.description = description
    self.parameters = parameters
    self.allowsRepeats = allowsRepeats
    schema = nil
  }

  /// A tool described by a JSON Schema: what OpenAI's API calls `parameters` and MCP calls `inputSchema`.
  public init(name: String, description: String, schema: JSONSchema, allowsRepeats: Bool = false) {
    self.name = name
    self.description = description
    parameters = []
    self.schema = schema
    self.allowsRepeats = allowsRepeats
  }

  /// The JSON Schema of the arguments: the raw one, or the one that follows from the parameters.
  public var argumentSchema: JSONSchema {
    schema ?? JSONSchema(ToolParameterType.object(parameters).schema)
  }
}

/// A JSON Schema, as a value.
///
/// ```swift
/// let schema = try JSONSchema(parsing: #"{"type": "object", "properties": {"n": {"type": "integer"}}}"#)
/// ```
public struct JSONSchema: Sendable, Hashable {
  /// The schema document.
  public let value: JSONValue

  /// A schema from its document. It is checked where it is used.
  public init(_ value: JSONValue) {
    self.value = value
  }

  /// A schema from JSON text.
  ///
  /// - Throws: `JSONError` with the place of the fault.
  public init(parsing text: String) throws {
    value = try JSONValue(parsing: text)
  }
}
