import ChatTemplate
import JSON
import Testing

@Suite("Messages as JSON") struct ChatMessageJSONTests {
  @Test func everyFormOfContentAndArguments() throws {
    let json = try JSONValue(
      parsing: #"""
        {"messages": [
          {"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
          {"role": "assistant", "content": null, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"x\": \"\\\"\"}"}},
            {"name": "g", "arguments": {"y": [1]}}, {"function": {"name": "h"}}]},
          {"role": "tool", "tool_call_id": "1", "name": "f", "content": "21"}, {"role": "assistant"}]}
        """#)
    let expected: [ChatMessage] = [
      ChatMessage(role: "developer", content: "a\nb"),
      .assistant(
        "",
        toolCalls: [
          .init(id: "1", name: "f", arguments: ["x": "\""]), .init(id: "", name: "g", arguments: ["y": [1]]),
          .init(id: "", name: "h", arguments: [:]),
        ]),
      .tool("21", callID: "1", name: "f"), .assistant(""),
    ]
    #expect(try ChatMessage.conversation(json) == expected)
    #expect(try ChatMessage.conversation(json["messages"] ?? .null) == expected)
  }

  @Test(
    "faults name the message and what is wrong",
    arguments: [
      ("{}", "a list of messages is expected, or an object with a list \"messages\""), ("[]", "there are no messages"),
      (#"[{"role": "user"}, 3]"#, "message 2: an object is expected, not 3"),
      (#"[{"content": "x"}]"#, "message 1: \"role\" is missing: system, user, assistant or tool"),
      (#"[{"role": "user", "content": 1}]"#, "message 1: \"content\" must be a text or a list of parts, not 1"),
      (
        #"[{"role": "user", "content": [{"type": "image_url"}]}]"#,
        #"message 1: a part of "content" has no text: {"type":"image_url"}"#
      ),
      (#"[{"role": "assistant", "tool_calls": 1}]"#, "message 1: \"tool_calls\" is no list"),
      (#"[{"role": "assistant", "tool_calls": [{}]}]"#, "message 1: tool call 1: a name is missing"),
      (
        #"[{"role": "assistant", "tool_calls": [{"name": "f", "arguments": "{"}]}]"#,
        #"message 1: tool call 1: f: the arguments are a text that holds no JSON object: "{""#
      ),
      (
        #"[{"role": "assistant", "tool_calls": [{"name": "f", "arguments": [1]}]}]"#,
        "message 1: tool call 1: f: the arguments must be an object, not [1]"
      ),
    ])
  func faults(_ text: String, _ message: String) throws {
    let json = try JSONValue(parsing: text)
    let error = #expect(throws: MessageError.self) { try ChatMessage.conversation(json) }
    #expect(error?.description == message)
  }

  @Test(
    "a clock from text",
    arguments: [
      ("2026-04-03", "03 Apr 2026 00:00:00"), ("2024-02-29T23:59:58", "29 Feb 2024 23:59:58"),
      ("2023-02-29", nil), ("2026-13-01", nil), ("2026-00-01", nil), ("2026-04-31", nil), ("2026-4-3", nil),
      ("2026-04-03T24:00:00", nil), ("2026-04-03 12:00:00", nil), ("", nil), ("２０26-04-03", nil),
    ] as [(String, String?)])
  func clock(_ text: String, _ shown: String?) throws {
    guard let clock = TemplateClock(text) else {
      #expect(shown == nil)
      return
    }
    let template = try ChatTemplate(source: "{{ strftime_now('%d %b %Y %H:%M:%S') }}")
    #expect(try template.render([:], clock: clock).text == shown)
  }
}
