import Tools

/// A tool for the loop's tests; unless told otherwise its handler says that all is well.
func tool(
  _ name: String, _ parameters: [ToolParameter] = [], _ handler: @escaping ToolHandler = { _ in ["ok": true] }
) -> RegisteredTool {
  RegisteredTool(ToolDefinition(name: name, description: "", parameters: parameters), handler: handler)
}

/// A parameter for the loop's tests.
let city = ToolParameter(name: "city", type: .string, description: "")
