import Grammar
import JSON
import TestSupport
import Testing

@testable import ChatTemplate
@testable import Tools

/// A program may ask for another form of calls than the model's own: the prompt must teach it then.
@Suite("Call formats that a program chooses")
struct TaughtFormatTests {
  private let weather: JSONValue = [
    "type": "object", "properties": ["city": ["type": "string"], "days": ["type": "integer"]], "required": ["city"],
  ]

  private var definitions: [JSONValue] {
    ["get_weather", "now"].map {
      ["type": "function", "function": ["name": .string($0), "description": "d", "parameters": weather]]
    }
  }

  private func call(_ name: String, _ arguments: JSONObject) -> ChatMessage.ToolCall {
    ChatMessage.ToolCall(id: name, name: name, arguments: .object(arguments))
  }

  /// The templates that the forms are taught to: one that knows no tools, and others with forms of their own.
  private func prompts() throws -> [ChatPrompt] {
    let known = [
      "Qwen-Qwen2.5-7B-Instruct", "meta-llama-Llama-3.2-3B-Instruct", "mistralai-Mistral-Nemo-Instruct-2407",
    ]
    let shared = SharedData.isPresent ? try known.map { try SharedData.bytes("data/templates/jinja/\($0).jinja") } : []
    let sources = [FallbackTemplate.chatML.source] + shared.map { String(decoding: $0, as: UTF8.self) }
    return try sources.map { try ChatPrompt(source: $0, eosToken: "</s>") }
  }

  /// A form that isn't `kind`.
  private func other(than kind: ToolCallFormat) -> ToolCallFormat { kind == .mistral ? .llama : .mistral }

  @Test(
    "the prompt has the tools, an example of the form, the history in it and the results",
    arguments: ToolCallFormat.allCases)
  func prompt(_ kind: ToolCallFormat) throws {
    let format = kind.rules
    let wording = ToolCallingOptions().wording(for: kind, own: other(than: kind))
    let calls = [call("get_weather", ["city": "It's \"Oslo\"", "days": 2]), call("now", ["city": ""])]
    for prompt in try prompts() {
      let turns: [ChatMessage] = [
        .user("Weather?"), .assistant("Let me see.", toolCalls: calls), .tool("cold", callID: "get_weather"),
        .tool("noon", callID: "now"),
      ]
      let text = try prompt.segments(messages: turns, tools: definitions, wording: wording).text
      let place = "\(kind): \(text)"
      let isHermes = format.writing == .hermes
      let example =
        isHermes
        ? #"{"name": "<function name>", "arguments": {<arguments>}}"#
        : format.writing.example("function_name", ["parameter": "value", "other_parameter": 5])
      #expect(text.contains(example) && definitions.allSatisfy { text.contains($0.spaced) }, "\(place)")
      #expect(text.contains("cold") && text.contains("noon") && text.contains("Let me see."), "\(place)")
      #expect(text.contains("<tool_call>") == isHermes, "no other form is spoken of. \(place)")

      let written = format.writing.text(calls).string
      #expect(text.contains(written), "\(place)")
      var parser = AnswerParser(format: format, toolNames: ["get_weather", "now"])
      let pieces = parser.feed(written) + parser.finish()
      let found = pieces.compactMap { if case .call(let name, let arguments) = $0 { (name, arguments) } else { nil } }
      #expect(
        found.map(\.0) == ["get_weather", "now"] && found.map(\.1) == calls.map(\.arguments.objectValue), "\(place)")
      #expect(!pieces.contains { if case .text = $0 { true } else { false } }, "\(place)")
    }
  }

  @Test("what the history shows is what the model is held to", arguments: ToolCallFormat.allCases)
  func grammar(_ kind: ToolCallFormat) throws {
    let tools = ["get_weather", "now"].map { CallableTool(name: $0, schema: weather) }
    let vocabulary = Vocabulary(
      tokens: (0..<256).map { [UInt8($0)] as [UInt8]? } + [nil], controls: ["<|im_end|>": 256], endTokens: [256])
    let grammar = try Grammar(kind.rules.canonicalCalls(tools, maximum: 2), options: .toolCalls)
    var matcher = Matcher(grammar, vocabulary: vocabulary)
    let written = kind.rules.writing.example("get_weather", ["city": "Oslo", "days": 2])
    for (place, byte) in written.utf8.enumerated() {
      let isTaken = matcher.accept(token: Int(byte))
      #expect(isTaken, "\(kind): byte \(place) of \(written)")
    }
    #expect(matcher.isComplete)
  }

  @Test("the model's own form is left to its template, and any other taught, in every round")
  func requests() async throws {
    let turns = ["[now(city='x')]", "Noon."]
    for (chosen, writing) in [(nil, nil), (ToolCallFormat.llama, nil), (.pythonic, PythonicFormat().writing)] {
      let generator = ScriptedGenerator(turns.map { .init($0) }, format: .llama)
      let result = try await ToolLoop(
        generator: generator, tools: [tool("now", [city])], options: ToolCallingOptions(callFormat: chosen)
      ).run("Time?")
      #expect(generator.requests.map(\.wording.writing) == [writing, writing])
      #expect(result.toolCalls.map(\.description) == [#"now(city: "x")"#] && result.text == "Noon.")
    }
  }

  @Test(
    "a model that was trained on no form is asked for the answer behind every result, and others where they need it")
  func answerRequests() {
    let options = ToolCallingOptions()
    #expect(options.wording(for: .hermes, own: .generic).resultRequest == options.answerRequest)
    #expect(options.wording(for: .generic, own: .hermes).resultRequest == options.answerRequest)
    #expect(options.wording(for: .pythonic, own: .llama).resultRequest.isEmpty)
  }
}
