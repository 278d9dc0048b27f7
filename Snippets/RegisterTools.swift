// A definition with a required and an optional parameter, and how a model gets loaded.
import RunAnywhere

func registerTools() async {
  await RunAnywhere.clearTools()

  let tool = ToolDefinition(
    name: "tool_name",
    description: "What this tool does",
    parameters: [
      ToolParameter(name: "param1", type: .string, description: "First parameter", required: true),
      ToolParameter(name: "param2", type: .number, description: "Optional parameter", required: false),
    ]
  )

  await RunAnywhere.registerTool(tool) { args -> [String: ToolValue] in
    let value = args["param1"]?.stringValue ?? ""
    return ["result": .string("Processed: \(value)")]
  }
}

func loadModel() async throws {
  try await RunAnywhere.loadModel(modelId: "llama-3.2-1b-instruct-q4")
}
