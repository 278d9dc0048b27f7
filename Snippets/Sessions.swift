// Conversations that remember, and that outlive the process.
import Foundation
import RunAnywhere

func conversation(_ model: LanguageModel) async throws -> [LLMMessage] {
  // snippet.conversation
  let session = ChatSession(model, systemPrompt: "Answer in one sentence.")
  print(try await session.respond(to: "Who wrote Faust?").text)
  print(try await session.respond(to: "When?").text)
  // snippet.end
  return session.transcript
}

func conversationWithTools(_ session: ChatSession, _ tools: [Tool]) async throws -> ToolCallingResult {
  // snippet.tools
  let result = try await session.respond(to: "What's the weather in Miami?", tools: tools) { event in
    if case .toolCall(let call) = event { print("calling \(call)") }
  }
  // snippet.end
  return result
}

func keeping(_ session: ChatSession, in file: URL, _ model: LanguageModel) async throws -> ChatSession {
  // snippet.save
  try await session.save(to: file)
  // snippet.end
  // snippet.restore
  let restored = try await ChatSession(restoring: file, model: model)
  print(restored.transcript.count, restored.toolNames)
  // snippet.end
  return restored
}
