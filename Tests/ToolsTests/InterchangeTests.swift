import Foundation
import JSON
import Testing
import Tools

@Suite("Interchange")
struct InterchangeTests {
  private let call = ToolCall(toolName: "get_weather", arguments: ["city": "Pa\"ris", "days": 3], id: "call00000")

  @Test("a conversation goes out in OpenAI's shape and comes back (case 34)")
  func messages() throws {
    let transcript: [LLMMessage] = [
      .system("Be brief."), .user("Weather?"),
      LLMMessage(role: .assistant, content: "", toolCalls: [call]),
      LLMMessage(role: .tool, content: #"{"t": 21}"#, toolCallId: "call00000", toolName: "get_weather"),
      .assistant("21 degrees 🌧️"),
    ]
    let json = transcript.openAIMessages
    #expect(
      json[2]?.compact
        == #"{"role":"assistant","content":"","tool_calls":[{"id":"call00000","type":"function","function":"#
        + #"{"name":"get_weather","arguments":"{\"city\":\"Pa\\\"ris\",\"days\":3}"}}]}"#)
    #expect(json[3]?["tool_call_id"] == "call00000")
    #expect(try [LLMMessage](importing: json) == transcript)
    #expect(try [LLMMessage](importing: ["messages": json]) == transcript)
    let data = try JSONEncoder().encode(transcript)
    #expect(try JSONDecoder().decode([LLMMessage].self, from: data) == transcript)
  }

  @Test("what others write is understood")
  func foreign() throws {
    func message(_ text: String) throws -> LLMMessage { try LLMMessage(importing: try JSONValue(parsing: text)) }
    #expect(
      try message(#"{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}"#)
        == .user("ab"))
    #expect(try message(#"{"role": "developer", "content": "x"}"#) == .system("x"))
    let calling = try message(
      #"{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"b": 1, "a": 2}}}]}"#
    )
    #expect(calling.content.isEmpty)
    #expect(calling.toolCalls.map(\.description) == ["f(b: 1, a: 2)"])
    let bare = try ToolCall(importing: ["name": "f", "arguments": ""])
    #expect(bare.arguments == [:])
  }

  @Test(
    "what can't be read says why",
    arguments: [
      ("{}", "no role"), (#"{"role": "bot", "content": ""}"#, "unknown"),
      (#"{"role": "user", "content": 3}"#, "no text"),
      (#"{"role": "user", "content": [{"type": "image_url"}]}"#, "no text"),
      (#"{"role": "assistant", "tool_calls": [{"function": {}}]}"#, "no name"),
      (#"{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "[1"}}]}"#, "object"),
      (#"{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": 1}}]}"#, "object"),
    ])
  func faults(_ text: String, _ reason: String) throws {
    let json = try JSONValue(parsing: text)
    let error = #expect(throws: ToolImportError.self) { try [LLMMessage](importing: .array([json])) }
    #expect(error?.reason.contains(reason) == true && error?.reason.hasPrefix("message 1: ") == true)
  }

  @Test("a result goes out and comes back, also one that waits for approval")
  func results() throws {
    let result = ToolCallingResult(
      text: "Let me look.", toolCalls: [call],
      toolResults: [
        .success(["t": .number(21.5), "list": [1, nil]], of: call), .failure("no network", of: call),
      ], finishReason: .toolCalls, limitReached: true, usage: TokenUsage(promptTokens: 5, cachedTokens: 3),
      timings: GenerationTimings(timeToFirstToken: 0.5, prefill: 0.25, decode: 2),
      transcript: [.user("Weather?"), LLMMessage(role: .assistant, content: "Let me look.", toolCalls: [call])],
      pendingCalls: [call])
    for back in [
      try ToolCallingResult(importing: result.json),
      try JSONDecoder().decode(ToolCallingResult.self, from: try JSONEncoder().encode(result)),
    ] {
      #expect(back.json == result.json)
      #expect(back.toolCalls == result.toolCalls && back.pendingCalls == result.pendingCalls)
      #expect(back.toolResults == result.toolResults && back.transcript == result.transcript)
      #expect(back.usage == result.usage && back.timings == result.timings)
    }
    #expect(throws: ToolImportError.self) { try ToolCallingResult(importing: ["text": "x"]) }
    #expect(throws: ToolImportError.self) { try ToolResult(importing: ["success": true, "result": 3]) }
  }

  @Test("definitions go out and come back in both shapes")
  func definitions() throws {
    let definition = ToolDefinition(
      name: "get_weather", description: "Weather",
      schema: try JSONSchema(
        parsing: #"{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}"#))
    for shape in [definition.openAIDefinition, definition.mcpDefinition] {
      let back = try ToolDefinition(importing: try JSONValue(parsing: shape.compact))
      #expect(back == definition)
    }
    #expect(definition.mcpDefinition["inputSchema"]?["required"] == ["city"])
    #expect(definition.openAIDefinition["type"] == "function")
  }
}
