import Foundation
import RunAnywhere
import Testing

/// The names that programs in the field use, each with its type. That this file compiles is the test.
@Suite("The fixed surface")
struct SurfaceTests {
  typealias Arguments = [String: ToolValue]

  @Test("functions of the façade")
  func facade() {
    let register: (ToolDefinition, @escaping @Sendable (Arguments) async throws -> Arguments) async -> Void =
      RunAnywhere.registerTool(_:handler:)
    let executor: (ToolDefinition, @escaping @Sendable (Arguments) async throws -> Arguments) async -> Void =
      RunAnywhere.registerTool(_:executor:)
    let clear: () async -> Void = RunAnywhere.clearTools
    let load: (String) async throws -> Void = RunAnywhere.loadModel(modelId:)
    let loadUnnamed: (String) async throws -> Void = RunAnywhere.loadModel(_:)
    let ask: (String, ToolCallingOptions) async throws -> ToolCallingResult =
      RunAnywhere.generateWithTools(prompt:options:)
    let askUnnamed: (String, ToolCallingOptions) async throws -> ToolCallingResult =
      RunAnywhere.generateWithTools(_:options:)
    let stream: (String, ToolCallingOptions) -> AsyncThrowingStream<ToolCallingEvent, any Error> =
      RunAnywhere.generateWithToolsStream(prompt:options:)
    let goOn: ([ToolResult], ToolCallingResult, ToolCallingOptions) async throws -> ToolCallingResult =
      RunAnywhere.continueWithToolResults(_:after:options:)
    let execute: (ToolCall) async throws -> ToolResult = RunAnywhere.executeTool(_:)
    let unregister: (String) async -> Void = RunAnywhere.unregisterTool(_:)
    let registered: () async -> [ToolDefinition] = RunAnywhere.registeredTools
    let validate: () async throws -> Void = RunAnywhere.validateTools
    let generate: (String, LLMGenerationOptions) async throws -> LLMGenerationResult = RunAnywhere.generate(_:options:)
    let text: (String, LLMGenerationOptions) async throws -> LLMStreamingResult =
      RunAnywhere.generateStream(_:options:)
    let chat: (String) async throws -> String = RunAnywhere.chat(_:)
    let cancel: () async -> Void = RunAnywhere.cancelGeneration
    let unload: () async -> Void = RunAnywhere.unloadModel
    let models: () async -> [ModelInfo] = RunAnywhere.availableModels
    let isLoaded: () -> Bool = { RunAnywhere.isModelLoaded }
    _ = (register, executor, clear, load, loadUnnamed, ask, askUnnamed, stream, goOn, execute, unregister, registered)
    _ = (validate, generate, text, chat, cancel, unload, models, isLoaded)
  }

  @Test("a handler that doesn't throw stands in the same place")
  func quietHandler() {
    let quiet: @Sendable (Arguments) async -> Arguments = { $0 }
    _ = { (tool: ToolDefinition) in await RunAnywhere.registerTool(tool, handler: quiet) }
    _ = { (tool: ToolDefinition) in await RunAnywhere.registerTool(tool, executor: quiet) }
    _ = { (tool: ToolDefinition) in await RunAnywhere.registerTool(tool) { _ in [:] } }
  }

  @Test("values, with the labels of their initialisers")
  func values() {
    let parameter = ToolParameter(name: "city", type: .string, description: "City name", required: true)
    let short = ToolParameter(name: "n", type: .number, description: "")
    let tool = ToolDefinition(name: "t", description: "d", parameters: [parameter, short])
    #expect(tool.name == "t" && tool.description == "d" && tool.parameters.map(\.required) == [true, true])
    #expect(ToolParameterType.boolean == parameter.type ? false : true)
    let options = ToolCallingOptions(maxToolCalls: 3, autoExecute: true, temperature: 0.5, maxTokens: 64)
    let plain = ToolCallingOptions()
    #expect(options.maxToolCalls == 3 && options.autoExecute && options.temperature == 0.5 && options.maxTokens == 64)
    #expect(plain.maxToolCalls == 5 && plain.autoExecute && plain.temperature == 0.7 && plain.maxTokens == 512)
    #expect(plain.handlerTimeout == .seconds(30) && plain.toolChoice == .auto && plain.grammar == .strict)
    let generation = LLMGenerationOptions(
      maxTokens: 100, temperature: 0.8, topP: 1.0, stopSequences: [], systemPrompt: nil)
    #expect(generation.maxTokens == 100 && generation.stopSequences.isEmpty)
    #expect(ToolValue.string("a").stringValue == "a" && ToolValue.number(1.5).numberValue == 1.5)
    #expect(ToolValue.integer(3).numberValue == 3 && ToolValue.string("a").numberValue == nil)
    let call = ToolCall(toolName: "t", arguments: ["a": .number(1)])
    #expect(call.toolName == "t" && call.arguments == ["a": .number(1)])
    let result = ToolResult(success: false, result: nil, error: "no")
    #expect(!result.success && result.result == nil && result.error == "no")
    let error = SDKError(code: .notInitialized, message: "m")
    #expect(error.code == .notInitialized && error.message == "m" && error.localizedDescription == "m")
    for code in [SDKError.ErrorCode.notInitialized, .processingFailed, .timeout, .notSupported] {
      #expect(SDKError.ErrorCode.allCases.contains(code))
    }
  }
}
