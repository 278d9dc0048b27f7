import Foundation
import RunAnywhere
import Synchronization
import Testing
import Tools

@testable import Snippets

/// What the façade promises, case by case.
extension FacadeTests {
  private var time: ToolDefinition { ToolDefinition(name: "get_time", description: "", parameters: []) }

  @Test("a call that the program runs itself has the time limit that it gives")
  func executing() async throws {
    await RunAnywhere.registerTool(ToolDefinition(name: "slow", description: "", parameters: [])) { _ in
      try await Task.sleep(for: .seconds(600))
      return [:]
    }
    let result = try await RunAnywhere.executeTool(
      ToolCall(toolName: "slow", arguments: [:], id: "1"), timeout: .milliseconds(1))
    #expect(!result.success && result.error?.contains("did not answer") == true)
    await RunAnywhere.unregisterTool("slow")
  }

  @Test("two tools of one name are refused, and so is a text without a token")
  func unusableInput() async throws {
    let model = LanguageModel(engine: .saying("x"))
    let tool = Tool(ToolDefinition(name: "a", description: "", parameters: [])) { _ in [:] }
    let twice = await failure { _ = try await model.respond(to: "go", tools: [tool, tool]) }
    #expect(twice?.code == .validationFailed && twice?.message.contains("\"a\"") == true)
    #expect(await failure { _ = try await model.complete("") }?.code == .invalidInput)
  }

  @Test("what can't be asked is refused before anything is generated")
  func refusals() async throws {
    let log = ScriptedPredictor.Log()
    await RunAnywhere.use(LanguageModel(engine: .saying("Hello.", log: log)))
    await RunAnywhere.clearTools()
    func code(_ prompt: String, _ options: ToolCallingOptions) async -> SDKError.ErrorCode? {
      await failure { _ = try await RunAnywhere.generateWithTools(prompt: prompt, options: options) }?.code
    }
    #expect(await code("q", ToolCallingOptions(toolChoice: .required)) == .invalidInput)
    await RunAnywhere.registerTool(time) { _ in [:] }
    #expect(await code("q", ToolCallingOptions(toolChoice: .tool("other"))) == .invalidInput)
    #expect(await code("q", ToolCallingOptions(maxToolCalls: -1)) == .invalidInput)
    #expect(await code(" \n", ToolCallingOptions()) == .invalidInput)
    #expect(await failure { _ = try await RunAnywhere.generate("") }?.code == .invalidInput)
    #expect(log.all.isEmpty)
    await RunAnywhere.use(LanguageModel(engine: .saying("Hello.", contextLength: 300)))
    let long = await failure {
      _ = try await RunAnywhere.generateWithTools(prompt: String(repeating: "x", count: 999))
    }
    let tokens = try #require(long?.underlyingError as? ContextOverflow).tokens
    #expect(long?.code == .contextTooLong && long?.message.contains("300") == true && tokens > 999)
    #expect(long?.message.contains("the prompt has \(tokens) tokens") == true)
    let unknown = await failure { _ = try await RunAnywhere.executeTool(ToolCall(toolName: "nope", arguments: [:])) }
    #expect(unknown?.code == .invalidInput && unknown?.message.contains("registered: get_time") == true)
  }

  @Test("without tools, and with 0 calls, it is plain generation; nothing of tools is told")
  func plain() async throws {
    await RunAnywhere.use(LanguageModel(engine: .saying("Hello.")))
    await RunAnywhere.clearTools()
    let bare = try await RunAnywhere.generateWithTools(prompt: "q")
    await RunAnywhere.registerTool(time) { _ in [:] }
    let none = try await RunAnywhere.generateWithTools(prompt: "q", options: ToolCallingOptions(maxToolCalls: 0))
    #expect(bare.text == "Hello." && none.text == "Hello.")
    #expect(bare.toolCalls.isEmpty && none.toolCalls.isEmpty && bare.transcript.count == 2)
    #expect(bare.finishReason == .stop && bare.usage.generatedTokens > 0)
  }

  @Test("a typed tool is called with its type, and told of when its type can't be described")
  func typedTools() async throws {
    struct Place: Decodable { let city: String }
    struct Weather: Encodable { let degrees: Double }
    enum Unlisted: String, Decodable { case a }
    struct Bad: Decodable { let kind: Unlisted }
    let call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n</tool_call>"
    await RunAnywhere.use(LanguageModel(engine: .conversing([call, "21.", call, "21."])))
    await RunAnywhere.clearTools()
    let seen = Recorder<String>()
    await RunAnywhere.registerTool(name: "get_weather", description: "Weather") { (place: Place) in
      seen.append(place.city)
      return Weather(degrees: 21)
    }
    let result = try await RunAnywhere.generateWithTools(prompt: "q", options: ToolCallingOptions(temperature: 0))
    #expect(seen.all == ["Paris"])
    #expect(result.toolResults.first?.result == ["degrees": 21])
    #expect(await RunAnywhere.registeredTools().first?.argumentSchema.value["required"] == ["city"])
    await RunAnywhere.registerTool(name: "bad", description: "") { (_: Bad) in 1 }
    let error = await failure { try await RunAnywhere.validateTools() }
    #expect(error?.code == .validationFailed)
    #expect(
      error?.message.contains("\"bad\" at /properties/kind") == true && error?.message.contains("Unlisted") == true)
    await RunAnywhere.unregisterTool("bad")
    try await RunAnywhere.validateTools()
  }

  @Test("tools registered and removed while a generation runs don't disturb it")
  func registeringDuringGeneration() async throws {
    let call = "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {}}\n</tool_call>"
    await RunAnywhere.use(LanguageModel(engine: .conversing([call, "Noon."])))
    await RunAnywhere.clearTools()
    await RunAnywhere.registerTool(time) { _ in
      await RunAnywhere.clearTools()
      return ["time": "12:00"]
    }
    let busy = Task {
      while !Task.isCancelled {
        let other = ToolDefinition(name: "other", description: "", parameters: [])
        await RunAnywhere.registerTool(other) { _ in [:] }
        await RunAnywhere.unregisterTool("other")
        _ = await RunAnywhere.registeredTools()
        await Task.yield()
      }
    }
    let result = try await RunAnywhere.generateWithTools(
      prompt: "q", options: ToolCallingOptions(temperature: 0, toolChoice: .tool("get_time")))
    busy.cancel()
    await busy.value
    #expect(result.text == "Noon." && result.toolResults.first?.result == ["time": "12:00"])
  }

  @Test("unloading in the middle of a generation ends it, and loading again works (case 50)")
  func unloadDuringGeneration() async throws {
    await RunAnywhere.use(LanguageModel(engine: .endless(pause: 0.002)))
    let generation = try await RunAnywhere.generateStream("q", options: LLMGenerationOptions(maxTokens: 5000))
    var chunks = 0
    var error: SDKError?
    do {
      for try await _ in generation.stream {
        chunks += 1
        if chunks == 3 { await RunAnywhere.unloadModel() }
      }
    } catch let thrown as SDKError {
      error = thrown
    }
    #expect(error?.code == .cancelled && chunks >= 3)
    await RunAnywhere.use(LanguageModel(engine: .saying("Again.")))
    #expect(try await RunAnywhere.chat("q") == "Again.")
  }

  @Test("available models have an id that loads them, and the message names the places")
  func models() async throws {
    for model in await RunAnywhere.availableModels() {
      #expect(FileManager.default.fileExists(atPath: model.path) && model.byteCount > 0, "\(model)")
    }
    await RunAnywhere.addModel(id: "a-model-of-mine", path: "/no/such/file.gguf")
    #expect(await RunAnywhere.availableModels().contains { $0.id == "a-model-of-mine" })
    #expect(await failure { try await RunAnywhere.loadModel(modelId: "a-model-of-mine") }?.code == .modelNotFound)
  }

  @Test("the samples of typed tools, foreign definitions, structured output and servers")
  func furtherSamples() async throws {
    let call =
      "<tool_call>\n{\"name\": \"get_forecast\", \"arguments\": {\"city\": \"Bonn\", \"unit\": \"celsius\"}}\n</tool_call>"
    await RunAnywhere.clearTools()
    try await registerForecast()
    await RunAnywhere.use(LanguageModel(engine: .conversing([call, "Mild."])))
    let result = try await RunAnywhere.generateWithTools(prompt: "q", options: ToolCallingOptions(temperature: 0))
    #expect(result.toolResults.first?.result?["degrees"] == [20])
    #expect(try transcripts(result) == result.transcript)
    let roll = "<tool_call>\n{\"name\": \"roll\", \"arguments\": {\"sides\": 1}}\n</tool_call>"
    #expect(
      try await localTools(LanguageModel(engine: .conversing([roll, "One."]))).toolResults.first?.result == [
        "result": 1
      ])
    try await schemaTool()
    #expect(try await importing(#"{"name": "x", "inputSchema": {"type": "object"}}"#).name == "x")
    try await RunAnywhere.validateTools()

    let json = #"{"name": "Tokyo", "population": 14}"#
    let model = LanguageModel(engine: .saying(json))
    await RunAnywhere.use(model)
    #expect(try await typedAnswer().name == "Tokyo")
    let session = ChatSession(model)
    #expect(try await typedAnswer(in: session).population == 14)
    #expect(try derivedSchema().value["required"] == ["name", "population"])
    let file = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID().uuidString).ra")
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try await keeping(session, in: file, model).transcript == session.transcript)
    #expect(try await plainAnswer() == json)

    let talking = LanguageModel(engine: .conversing(["Hello."]))
    let service = ChatService(model: talking, tools: [])
    var text = ""
    for try await piece in await service.answer("Hi", to: "a") { text += piece }
    await service.forget("a")
    #expect(text == "Hello.")
    let body =
      #"{"messages": [{"role": "user", "content": "Weather?"}], "tools": [{"type": "function", "function": "#
      + #"{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]}"#
    let calling = LanguageModel(
      engine: .conversing([
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Bonn\"}}\n</tool_call>"
      ]))
    let reply = try await complete(body, calling)
    #expect(reply["tool_calls"]?[0]?["function"]?["name"] == "get_weather", "\(reply)")
    await RunAnywhere.clearTools()
  }
}
