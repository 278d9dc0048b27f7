// Three tools and a question that needs two of them.
import Foundation
import RunAnywhere

func multiToolChat() async throws -> ToolCallingResult {
  await RunAnywhere.clearTools()

  let weatherTool = ToolDefinition(
    name: "get_weather", description: "Get current weather for a city including temperature and conditions",
    parameters: [ToolParameter(name: "city", type: .string, description: "City name", required: true)])
  let calcTool = ToolDefinition(
    name: "calculate", description: "Evaluate a mathematical expression and return the numeric result",
    parameters: [
      ToolParameter(
        name: "expression", type: .string, description: "Math expression (e.g. '2 + 3 * 4')", required: true)
    ])
  let timeTool = ToolDefinition(
    name: "get_current_time", description: "Get the current date and time", parameters: [])

  // Register weather, calculator, and time tools
  await RunAnywhere.registerTool(weatherTool) { args in
    ["city": args["city"] ?? "Unknown", "temperature": .number(82.0), "condition": .string("sunny")]
  }
  await RunAnywhere.registerTool(calcTool) { args in
    ["result": .number(try Calculator.evaluate(args["expression"]?.stringValue ?? "0"))]
  }
  await RunAnywhere.registerTool(timeTool) { _ in
    ["timestamp": .number(Date().timeIntervalSince1970)]
  }

  let options = ToolCallingOptions(
    maxToolCalls: 5,
    autoExecute: true,
    temperature: 0.7,
    maxTokens: 512
  )

  let result = try await RunAnywhere.generateWithTools(
    prompt: "What's the weather in Miami? Also, what's 15% tip on a $47.50 bill?",
    options: options
  )

  // The LLM will call get_weather AND calculate, then compose a final answer
  print(result.text)
  print("Tools called: \(result.toolCalls.map(\.toolName))")
  return result
}
