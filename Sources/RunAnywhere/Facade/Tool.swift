public import Tools

/// A tool with its handler, for models and sessions that don't use the registry of `RunAnywhere`.
public struct Tool: Sendable {
  let registered: RegisteredTool

  /// What the model is told about the tool.
  public var definition: ToolDefinition { registered.definition }

  /// A tool. What is wrong with its definition is reported when it is used.
  public init(_ definition: ToolDefinition, handler: @escaping ToolHandler) {
    registered = RegisteredTool(definition, handler: handler)
  }

  /// A tool whose handler takes and returns values of Swift types; see
  /// `RunAnywhere.registerTool(name:description:allowsRepeats:handler:)`.
  ///
  /// ```swift
  /// let dice = Tool(name: "roll", description: "Roll dice") { (request: Roll) in request.roll() }
  /// ```
  public init<Arguments: Decodable & SendableMetatype, Output: Encodable & SendableMetatype>(
    name: String, description: String, allowsRepeats: Bool = false,
    handler: @escaping @Sendable (Arguments) async throws -> Output
  ) {
    registered = RegisteredTool(
      TypedTool(name: name, description: description, allowsRepeats: allowsRepeats, handler: handler))
  }

  /// Runs the handler for a call, as a generation does: what it throws, and taking longer than `timeout`, becomes a failed
  /// result.
  ///
  /// - Throws: ``SDKError`` with `.cancelled` when the task is cancelled.
  public func run(_ call: ToolCall, timeout: Duration = .seconds(30)) async throws -> ToolResult {
    try await SDKError.mapping { try await ToolExecutor(timeout: timeout).run(call, with: registered) }
  }
}
