import JSON

/// A tool whose handler takes and returns values of Swift types.
package struct TypedTool: Sendable {
  package let definition: ToolDefinition
  package let handler: ToolHandler
  /// What keeps the type of the arguments from being described; empty when all is well.
  package let issues: [ToolIssue]

  /// - Parameter handler: gets the arguments decoded; what it returns is encoded, a value that is no object under
  ///   `result`.
  package init<Arguments: Decodable & SendableMetatype, Output: Encodable & SendableMetatype>(
    name: String, description: String, allowsRepeats: Bool = false,
    handler: @escaping @Sendable (Arguments) async throws -> Output
  ) {
    do throws(SchemaDerivationError) {
      let schema = try JSONSchema(describing: Arguments.self)
      definition = ToolDefinition(
        name: name, description: description, schema: schema, allowsRepeats: allowsRepeats)
      issues =
        TypedTool.isObject(schema.value)
        ? []
        : [
          ToolIssue(
            tool: name, pointer: "", reason: "arguments are an object, but \(Arguments.self) is none; use a struct")
        ]
    } catch {
      definition = ToolDefinition(name: name, description: description, parameters: [])
      let reason = "its arguments can't be described: \(error.type): \(error.reason)"
      issues = [ToolIssue(tool: name, pointer: error.pointer, reason: reason)]
    }
    self.handler = { arguments in
      let decoded = try ToolValue.object(arguments).decode(Arguments.self)
      let value = try ToolValue(encoding: try await handler(decoded))
      return value.objectValue ?? ["result": value]
    }
  }

  private static func isObject(_ schema: JSONValue) -> Bool {
    schema["type"].map { $0 == .string("object") } ?? true
  }
}
