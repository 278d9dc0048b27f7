// Register a tool, ask, and look at the answer, the calls and their results.
import RunAnywhere

func basicUsage() async throws -> ToolCallingResult {
  // 1. Clear any previously registered tools
  await RunAnywhere.clearTools()

  // snippet.register
  // 2. Define and register a tool
  let weatherTool = ToolDefinition(
    name: "get_weather",
    description: "Get current weather for a city",
    parameters: [
      ToolParameter(name: "city", type: .string, description: "City name", required: true)
    ]
  )

  await RunAnywhere.registerTool(weatherTool) { args -> [String: ToolValue] in
    let city = args["city"]?.stringValue ?? "Unknown"
    return [
      "temperature": .number(72.0),
      "condition": .string("sunny"),
      "city": .string(city),
    ]
  }
  // snippet.end

  // snippet.generate
  // 3. Generate with tools
  let options = ToolCallingOptions(
    maxToolCalls: 3,
    autoExecute: true,
    temperature: 0.7,
    maxTokens: 512
  )

  let result = try await RunAnywhere.generateWithTools(
    prompt: "What's the weather in San Francisco?",
    options: options
  )

  print(result.text)  // "The weather in San Francisco is 72°F and sunny."
  print(result.toolCalls)  // [get_weather(city: "San Francisco")]
  print(result.toolResults)  // [get_weather: {"city":"San Francisco", …}]
  // snippet.end
  return result
}
