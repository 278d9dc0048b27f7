import Synchronization

/// A handler: it receives the arguments and returns the result, or throws.
public typealias ToolHandler = @Sendable ([String: ToolValue]) async throws -> [String: ToolValue]

/// A tool as it was registered.
package struct RegisteredTool: Sendable {
  package let definition: ToolDefinition
  package let handler: ToolHandler
  /// What is wrong with the definition; a tool with issues is never offered.
  package let issues: [ToolIssue]

  package init(_ definition: ToolDefinition, handler: @escaping ToolHandler) {
    self.definition = definition
    self.handler = handler
    issues = definition.issues()
  }

  /// A tool whose handler takes and returns values of Swift types.
  package init(_ typed: TypedTool) {
    definition = typed.definition
    handler = typed.handler
    issues = typed.issues + typed.definition.issues()
  }
}

/// The registered tools, in the order of first registration.
///
/// State sits behind a mutex, which is never held while a handler runs or a schema compiles.
package final class ToolRegistry: Sendable {
  private let tools = Mutex<[RegisteredTool]>([])

  package init() {}

  /// Adds a tool, or replaces the one of the same name in its place. The definition is checked here.
  package func register(_ definition: ToolDefinition, handler: @escaping ToolHandler) {
    register(RegisteredTool(definition, handler: handler))
  }

  /// Adds a tool, or replaces the one of the same name in its place.
  package func register(_ tool: RegisteredTool) {
    tools.withLock { tools in
      if let place = tools.firstIndex(where: { $0.definition.name == tool.definition.name }) {
        tools[place] = tool
      } else {
        tools.append(tool)
      }
    }
  }

  /// Removes the tool called `name`; whether there was one.
  @discardableResult
  package func unregister(_ name: String) -> Bool {
    tools.withLock { tools in
      let count = tools.count
      tools.removeAll { $0.definition.name == name }
      return tools.count < count
    }
  }

  /// Removes all tools.
  package func clear() { tools.withLock { $0 = [] } }

  /// All tools in order, those with issues too.
  package var all: [RegisteredTool] { tools.withLock { $0 } }

  /// The tool called `name`.
  package func tool(_ name: String) -> RegisteredTool? {
    tools.withLock { tools in tools.first { $0.definition.name == name } }
  }
}
