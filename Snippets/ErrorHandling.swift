// What can go wrong: the generation as a whole throws an SDKError; a tool that fails is a result like any other.
import RunAnywhere

func errorHandling(prompt: String, options: ToolCallingOptions) async throws {
  // snippet.errors
  do {
    let result = try await RunAnywhere.generateWithTools(
      prompt: prompt,
      options: options
    )

    // Check individual tool results for failures
    for toolResult in result.toolResults {
      if !toolResult.success {
        print("Tool failed: \(toolResult.error ?? "Unknown error")")
      }
    }
  } catch let error as SDKError {
    switch error.code {
    case .notInitialized:
      print("Load an LLM model before using tool calling")
    case .processingFailed:
      print("Generation failed: \(error.message)")
    default:
      print("Tool calling error: \(error)")
    }
  }
  // snippet.end
}

func validatingArguments(_ tool: ToolDefinition) async {
  // snippet.arguments
  await RunAnywhere.registerTool(tool) { args -> [String: ToolValue] in
    guard let city = args["city"]?.stringValue, !city.isEmpty else {
      return ["error": .string("City parameter is required")]
    }
    return ["city": .string(city)]
  }
  // snippet.end
}
