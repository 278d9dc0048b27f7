import RunAnywhere
import TestSupport
import Testing
import Tools

@Suite("Sessions that are changed while a question is being answered")
struct SessionChangeTests {
  private let call = "<tool_call>\n{\"name\": \"t\", \"arguments\": {}}\n</tool_call>"
  private let options = ToolCallingOptions(temperature: 0)

  private func tool(_ work: @escaping @Sendable () -> Void) -> Tool {
    Tool(ToolDefinition(name: "t", description: "", parameters: [])) { _ in
      work()
      return [:]
    }
  }

  @Test("instructions that change in the middle of an answer stay changed, and its turns are kept")
  func instructions() async throws {
    let session = ChatSession(LanguageModel(engine: .conversing([call, "Done."])), systemPrompt: "Old.")
    let result = try await session.respond(
      to: "go", tools: [tool { session.setSystemPrompt("New.") }], options: options)
    #expect(result.text == "Done." && result.transcript.first == .system("Old."))
    #expect(session.systemPrompt == "New.")
    #expect(session.transcript == [.system("New.")] + result.transcript.dropFirst())
  }

  @Test("turns that are forgotten in the middle of an answer stay forgotten")
  func reset() async throws {
    let session = ChatSession(LanguageModel(engine: .conversing([call, "Done.", "More."])), systemPrompt: "Be brief.")
    let result = try await session.respond(to: "go", tools: [tool { session.reset() }], options: options)
    #expect(result.text == "Done.")
    #expect(session.transcript == [.system("Be brief.")])
    _ = try await session.respond(to: "again")
    #expect(session.transcript.count == 3)
  }

  @Test("instructions may change while calls wait for their results")
  func waiting() async throws {
    let session = ChatSession(LanguageModel(engine: .conversing([call, "Done."])))
    var options = options
    options.autoExecute = false
    let waiting = try await session.respond(to: "go", tools: [tool {}], options: options)
    session.setSystemPrompt("Be brief.")
    let result = try await session.respond(
      with: [.success([:], of: waiting.pendingCalls[0])], after: waiting, tools: [tool {}], options: options)
    #expect(result.text == "Done." && result.transcript.first == .system("Be brief."))
    #expect(session.transcript == result.transcript)
  }

  @Test("there is one system prompt, and an empty one is none")
  func systemPrompts() {
    let model = LanguageModel(engine: .saying("x"))
    #expect(ChatSession(model, systemPrompt: "").transcript.isEmpty)
    let history: [LLMMessage] = [.system("Old."), .user("x"), .assistant("y")]
    #expect(ChatSession(model, history: history).systemPrompt == "Old.")
    let session = ChatSession(model, systemPrompt: "New.", history: history)
    #expect(session.transcript == [.system("New.")] + history.dropFirst())
  }
}
