import RunAnywhere
import Testing
import Tools

@Suite("Sessions that wait for approval")
struct SessionApprovalTests {
  private let call = "<tool_call>\n{\"name\": \"t\", \"arguments\": {}}\n</tool_call>"
  private let tools = [Tool(ToolDefinition(name: "t", description: "", parameters: [])) { _ in [:] }]
  private let options = ToolCallingOptions(autoExecute: false, temperature: 0)

  @Test("calls wait, also over a JSON document, and the conversation goes on with their results")
  func goesOn() async throws {
    let session = ChatSession(LanguageModel(engine: .conversing([call, "Done.", call, "Again."])))
    for (round, text) in ["Done.", "Again."].enumerated() {
      let waiting = try await session.respond(to: "go", tools: tools, options: options)
      #expect(waiting.finishReason == .toolCalls && waiting.pendingCalls.map(\.id) == ["call0000\(round)"])
      let stored = try ToolCallingResult(importing: try JSONValue(parsing: waiting.json.compact))
      let results = [ToolResult.success(["x": 1], of: stored.pendingCalls[0])]
      let result = try await session.respond(with: results, after: stored, tools: tools, options: options)
      #expect(result.text == text && session.transcript == result.transcript)
    }
    #expect(session.transcript.count == 8)
  }

  @Test("an answer that isn't the session's last is refused, and changes nothing")
  func stale() async throws {
    let session = ChatSession(LanguageModel(engine: .conversing([call, "Something else."])))
    let waiting = try await session.respond(to: "go", tools: tools, options: options)
    _ = try await session.respond(to: "Never mind.")
    let turns = session.transcript
    let error = await #expect(throws: SDKError.self) {
      try await session.respond(
        with: [.success(["x": 1], of: waiting.pendingCalls[0])], after: waiting, tools: tools, options: options)
    }
    #expect(error?.code == .invalidInput && error?.message.contains("gone on") == true)
    #expect(session.transcript == turns)
  }

  @Test("a model without a session tells what happens as well, and a session answers with JSON")
  func parity() async throws {
    let kinds = Recorder<String>()
    let result = try await LanguageModel(engine: .conversing([call, "Done."])).respond(
      to: "go", tools: tools, options: ToolCallingOptions(temperature: 0)
    ) { kinds.append("\($0)".prefix { $0 != "(" }.description) }
    #expect(result.text == "Done." && kinds.all.contains("toolCall") && kinds.all.last == "finished")
    let session = ChatSession(LanguageModel(engine: .saying("17")))
    let schema = try JSONSchema(parsing: #"{"type": "integer"}"#)
    #expect(try await session.respond(to: "How many?", generating: schema).text == "17")
    #expect(session.transcript.last == .assistant("17"))
  }
}
