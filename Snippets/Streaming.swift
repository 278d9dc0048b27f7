// Text and calls as they come.
import RunAnywhere

func streamingAnswer() async throws -> String {
  var answer = ""
  // snippet.text
  let generation = try await RunAnywhere.generateStream(
    "Name three rivers.", options: LLMGenerationOptions(maxTokens: 60))
  for try await chunk in generation.stream { answer += chunk }
  let result = try await generation.result.value
  print("\(result.tokensUsed) tokens, \(result.tokensPerSecond) a second")
  // snippet.end
  return answer
}

func streamingTools(prompt: String) async throws -> [ToolCall] {
  var calls: [ToolCall] = []
  // snippet.events
  for try await event in RunAnywhere.generateWithToolsStream(prompt: prompt) {
    switch event {
    case .text(let chunk): print(chunk, terminator: "")
    case .toolCallStarted(let name): print("\ncalling \(name)")
    case .toolCallArguments: break
    case .toolCall(let call): calls.append(call)
    case .toolResult(let result): print(result.success ? "done" : "failed")
    case .finished(let result): print("\n\(result.usage.generatedTokens) tokens")
    }
  }
  // snippet.end
  return calls
}

func cancelling() async {
  // snippet.cancel
  let task = Task { try await RunAnywhere.generate("Write a novel.", options: LLMGenerationOptions(maxTokens: 4000)) }
  task.cancel()  // this one
  await RunAnywhere.cancelGeneration()  // or everything under way
  // snippet.end
}
