// The first fifteen lines, and the ways to a model.
import RunAnywhere

func firstCall() async throws -> ToolCallingResult {
  // snippet.readme
  let weather = ToolDefinition(
    name: "get_weather", description: "Get current weather for a city",
    parameters: [ToolParameter(name: "city", type: .string, description: "City name")])

  try await RunAnywhere.loadModel(modelId: "smollm2-135m-instruct")
  await RunAnywhere.registerTool(weather) { arguments in
    let city = arguments["city"]?.stringValue ?? "Unknown"
    return ["city": .string(city), "temperature": .number(62), "condition": "foggy"]
  }
  let result = try await RunAnywhere.generateWithTools(
    prompt: "What's the weather in San Francisco?",
    options: ToolCallingOptions(temperature: 0, toolChoice: .required))

  print(result.toolCalls)  // [get_weather(city: "San Francisco")]
  print(result.text)
  // snippet.end
  return result
}

func models(path: String) async throws {
  // snippet.models
  for model in await RunAnywhere.availableModels() {
    print(model.id, model.byteCount)
  }
  await RunAnywhere.addModel(id: "mine", path: path)
  try await RunAnywhere.loadModel(modelId: "mine")
  // snippet.end
}

func plainAnswer() async throws -> String {
  // snippet.answer
  let result = try await RunAnywhere.generate(
    "Name three rivers.", options: LLMGenerationOptions(maxTokens: 60, temperature: 0.3))
  print(result.text)
  print("\(result.tokensUsed) tokens, \(result.tokensPerSecond) a second")
  // snippet.end
  return result.text
}

func ownModel(path: String) async throws -> String {
  // snippet.instance
  let model = try await LanguageModel(path: path, contextLength: 4096, threads: 4)
  let answer = try await model.respond(to: "What is the capital of France?")
  // snippet.end
  return answer.text
}
