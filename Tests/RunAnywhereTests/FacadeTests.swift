import Foundation
import RunAnywhere
import TestSupport
import Testing
import Tools

@testable import Snippets

/// The façade has one state for the whole process, so its tests run one after the other.
@Suite("The façade and the documentation's samples", .serialized)
struct FacadeTests {
  private let call =
    "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"San Francisco\"}}\n</tool_call>"

  func failure(_ body: () async throws -> Void) async -> SDKError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? SDKError
    }
  }

  @Test("without a model everything says what to do")
  func notInitialized() async {
    await RunAnywhere.unloadModel()
    #expect(!RunAnywhere.isModelLoaded)
    for error in [
      await failure { _ = try await RunAnywhere.generateWithTools(prompt: "q", options: ToolCallingOptions()) },
      await failure { _ = try await RunAnywhere.generate("q") },
      await failure { _ = try await RunAnywhere.chat("q") },
      await failure { _ = try await RunAnywhere.generateStream("q") },
    ] {
      #expect(error?.code == .notInitialized)
      #expect(error?.message.contains("loadModel(modelId:) before") == true)
      #expect(error?.localizedDescription == error?.message)
    }
  }

  @Test("an unknown model: the id, where it was looked for, and how to get it")
  func unknownModel() async {
    let error = await failure { try await RunAnywhere.loadModel(modelId: "no-such-model") }
    #expect(error?.code == .modelNotFound)
    #expect(error?.message.contains("no-such-model") == true && error?.message.contains("ra-run pull") == true)
    #expect(error?.message.contains(ModelFolder().url.path) == true)
    #expect(await failure { try await RunAnywhere.loadModel("/no/such/file.gguf") }?.code == .modelNotFound)
  }

  @Test("the basic sample")
  func basicSample() async throws {
    await RunAnywhere.use(LanguageModel(engine: .conversing([call, "The weather is sunny."])))
    let result = try await basicUsage()
    #expect(result.toolCalls.map(\.description) == ["get_weather(city: \"San Francisco\")"])
    #expect(result.toolResults.first?.result?["temperature"]?.numberValue == 72)
    #expect(result.text == "The weather is sunny.")
  }

  @Test("the samples of single tools")
  func toolSamples() async throws {
    await registerTools()
    await registerWeatherTool()
    await registerCalculatorTool()
    await registerTimeTool()
    #expect(
      await RunAnywhere.registeredTools().map(\.name) == ["tool_name", "get_weather", "calculate", "get_current_time"])
    try await RunAnywhere.validateTools()
    let weather = try await RunAnywhere.executeTool(ToolCall(toolName: "get_weather", arguments: ["city": "Miami"]))
    #expect(weather.result?["temperature"] == .number(82))
    let tip = try await RunAnywhere.executeTool(
      ToolCall(toolName: "calculate", arguments: ["expression": "47.50 * 0.15"]))
    #expect(tip.result?["result"]?.numberValue == 7.125)
    let time = try await RunAnywhere.executeTool(ToolCall(toolName: "get_current_time", arguments: [:]))
    #expect(time.success && time.result?["datetime"]?.stringValue?.isEmpty == false)
    await RunAnywhere.unregisterTool("calculate")
    #expect(
      await failure { _ = try await RunAnywhere.executeTool(ToolCall(toolName: "calculate", arguments: [:])) }?.code
        == .invalidInput)
    await RunAnywhere.clearTools()
    #expect(await RunAnywhere.registeredTools().isEmpty)
  }

  @Test("the sample with three tools")
  func multiToolSample() async throws {
    let calls = """
      <tool_call>
      {"name": "get_weather", "arguments": {"city": "Miami"}}
      </tool_call>
      <tool_call>
      {"name": "calculate", "arguments": {"expression": "47.50 * 0.15"}}
      </tool_call>
      """
    await RunAnywhere.use(LanguageModel(engine: .conversing([calls, "Sunny; the tip is $7.13."])))
    let result = try await multiToolChat()
    #expect(result.toolCalls.map(\.toolName) == ["get_weather", "calculate"])
    #expect(result.toolResults.last?.result?["result"]?.numberValue == 7.125)
  }

  @Test("the samples of errors, streaming and approval")
  func otherSamples() async throws {
    await RunAnywhere.use(LanguageModel(engine: .conversing([call, "Sunny."])))
    await RunAnywhere.clearTools()
    await validatingArguments(weatherTool)
    try await errorHandling(prompt: "Weather?", options: ToolCallingOptions(temperature: 0))
    #expect(try await streamingTools(prompt: "Weather?").count == 1)
    let approved = try await approvedCalls(prompt: "Weather?") { _ in true }
    #expect(approved.text == "Sunny." && approved.toolResults.first?.success == true)
    let refused = try await approvedCalls(prompt: "Weather?") { _ in false }
    #expect(refused.toolResults.first?.error?.contains("did not allow") == true)
    await RunAnywhere.use(LanguageModel(engine: .saying("Rhine, Rhone, Po.")))
    #expect(try await streamingAnswer() == "Rhine, Rhone, Po.")
    #expect(try await RunAnywhere.chat("x") == "Rhine, Rhone, Po.")
  }

  @Test("the samples of sessions and structured output")
  func sessionSamples() async throws {
    #expect(try await conversation(LanguageModel(engine: .saying("Goethe."))).count == 5)
    let json = #"{"city": "Tokyo", "population": 14}"#
    #expect(try await structuredAnswer(LanguageModel(engine: .saying(json))).objectValue?["city"] == "Tokyo")
  }

  @Test("both spellings of registering, and the other labels, compile and mean the same")
  func spellings() async throws {
    await RunAnywhere.clearTools()
    let tool = ToolDefinition(name: "t", description: "", parameters: [])
    await RunAnywhere.registerTool(tool, executor: { _ in ["n": 1] })
    await RunAnywhere.registerTool(tool, handler: { _ in ["n": 2] })
    await RunAnywhere.registerTool(tool) { _ in ["n": 3] }
    #expect(try await RunAnywhere.executeTool(ToolCall(toolName: "t", arguments: [:])).result == ["n": 3])
    await RunAnywhere.use(LanguageModel(engine: .saying("Hello.")))
    #expect(try await RunAnywhere.generateWithTools("q").text == "Hello.")
    #expect(try await RunAnywhere.generateWithTools("q", options: ToolCallingOptions(maxToolCalls: 1)).text == "Hello.")
  }

  @Test("an invalid tool is named, with place and reason, until it is replaced")
  func invalidTool() async throws {
    await RunAnywhere.clearTools()
    await RunAnywhere.use(LanguageModel(engine: .saying("Hello.")))
    let twice = ToolParameter(name: "a", type: .string, description: "")
    await RunAnywhere.registerTool(ToolDefinition(name: "good", description: "", parameters: [])) { _ in [:] }
    await RunAnywhere.registerTool(ToolDefinition(name: "bad", description: "", parameters: [twice, twice])) { _ in [:]
    }
    for error in [
      await failure { try await RunAnywhere.validateTools() },
      await failure { _ = try await RunAnywhere.generateWithTools(prompt: "q") },
    ] {
      #expect(error?.code == .validationFailed)
      #expect(error?.message.contains("\"bad\" at /properties/a") == true)
      #expect(error?.message.contains("good") == false)
    }
    await RunAnywhere.registerTool(ToolDefinition(name: "bad", description: "", parameters: [twice])) { _ in [:] }
    try await RunAnywhere.validateTools()
    #expect(try await RunAnywhere.generateWithTools(prompt: "q").text == "Hello.")
    let schema = try JSONSchema(parsing: #"{"properties": {"x": {"type": "string", "minLength": 5, "maxLength": 2}}}"#)
    await RunAnywhere.registerTool(ToolDefinition(name: "odd", description: "", schema: schema)) { _ in [:] }
    #expect(await failure { try await RunAnywhere.validateTools() }?.message.contains("odd") == true)
    await RunAnywhere.clearTools()
  }

  @Test("cancelGeneration cancels what is under way, and unloading lets the model go")
  func cancelling() async throws {
    let log = ScriptedPredictor.Log()
    await RunAnywhere.use(LanguageModel(engine: .endless(pause: 0.002, log: log)))
    for cancel in [RunAnywhere.cancelGeneration, RunAnywhere.unloadModel] {
      let task = Task { try await RunAnywhere.generate("q", options: LLMGenerationOptions(maxTokens: 200_000)) }
      // In the midst of the answer, which ends long after every limit.
      let before = log.all.count
      #expect(await eventually { log.all.count > before + 5 })
      await cancel()
      #expect(await failure { _ = try await task.value }?.code == .cancelled)
    }
    #expect(!RunAnywhere.isModelLoaded)
  }
}
