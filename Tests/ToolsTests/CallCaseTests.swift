import JSON
import Testing
import Tools

@Suite("Calls as models write them, up to the handler")
struct CallCaseTests {
  /// What reaches the handler of `tool` from one turn.
  private func delivered(
    _ turn: String, _ name: String, _ parameters: [ToolParameter], grammar: GrammarMode = .strict
  ) async throws -> (arguments: [[String: ToolValue]], result: ToolCallingResult) {
    let seen = Recorder<[String: ToolValue]>()
    let registered = tool(name, parameters) { arguments in
      seen.append(arguments)
      return [:]
    }
    let result = try await ToolLoop(
      generator: ScriptedGenerator(turn, "Done."), tools: [registered], options: ToolCallingOptions(grammar: grammar)
    ).run("go")
    return (seen.all, result)
  }

  private let log = [
    ToolParameter(name: "message", type: .string, description: ""),
    ToolParameter(name: "meta", type: .object([]), description: "", required: false),
  ]

  @Test(
    "braces, tags and escapes inside strings arrive as they are (case 35)",
    arguments: [
      (#"}A"#, "}A"), ("{", "{"), ("</tool_call>", "</tool_call>"), ("<tool_call>{}", "<tool_call>{}"),
      (#"say \"hi\"\n\\end"#, "say \"hi\"\n\\end"), (#"\"}}</tool_call>"#, "\"}}</tool_call>"),
      (#"\\"#, "\\"), (#"{\"name\": \""#, "{\"name\": \""), (#"\ud83c\udf27\ufe0f"#, "🌧️"), (#"\ud83c"#, "\u{FFFD}"),
    ])
  func strings(_ written: String, _ meant: String) async throws {
    for (before, after) in [("", ""), ("Logging it. ", "")] {
      let turn = before + hermes("log", "{\"message\": \"\(written)\"}") + after
      let (arguments, result) = try await delivered(turn, "log", log)
      #expect(arguments.map { $0["message"]?.stringValue } == [meant])
      #expect(result.transcript.dropFirst().first?.content == before.split(separator: " ").joined(separator: " "))
    }
  }

  @Test("an object four deep stays an object; text around the call stays text (case 35)")
  func deepObject() async throws {
    let deep = #"{"a":{"b":{"c":[{"d":1}]}}}"#
    for turn in [
      hermes("log", "{\"message\": \"m\", \"meta\": \(deep)}"),
      "```json\n{\"name\": \"log\", \"arguments\": {\"message\": \"m\", \"meta\": \(deep)}}\n```",
    ] {
      let (arguments, _) = try await delivered(turn, "log", log)
      #expect(
        arguments.first?["meta"].map { JSONValue.object(ToolValue.json(of: ["meta": $0])) }?["meta"]?.compact == deep)
    }
    let sample = "Write it so:\n```json\n{\"message\": \"m\"}\n```\nand that is all."
    let (none, result) = try await delivered(sample, "log", log)
    #expect(none.isEmpty && result.text == sample)
  }

  @Test("four ways to write no arguments (case 40)", arguments: [": {}", ": null", ": \"\"", nil])
  func noArguments(_ value: String?) async throws {
    let arguments = value.map { ", \"arguments\"\($0)" } ?? ""
    let turn = "<tool_call>\n{\"name\": \"get_time\"\(arguments)}\n</tool_call>"
    let (seen, result) = try await delivered(turn, "get_time", [])
    #expect(seen == [[:]])
    #expect(result.text == "Done.")
  }

  @Test("a required argument that is missing goes back as an error that names it (case 39)")
  func missingArgument() async throws {
    let (seen, result) = try await delivered(
      hermes("f", "{\"b\": 2}"), "f",
      [
        ToolParameter(name: "a", type: .integer, description: ""),
        ToolParameter(name: "b", type: .integer, description: "", required: false),
      ], grammar: .off)
    #expect(seen.isEmpty)
    #expect(result.toolResults.first?.error?.contains("\"a\"") == true)
  }

  @Test("a value that an enumeration doesn't hold goes back with those that it does (case 38)")
  func enumeration() async throws {
    let unit = ToolParameter(name: "unit", type: .string, description: "", enumValues: ["a\"b", "a\\b", "é", ""])
    for value in ["a\"b", "a\\b", "é", ""] {
      let written = JSONValue.string(value).compact
      let (seen, _) = try await delivered(hermes("f", "{\"unit\": \(written)}"), "f", [unit], grammar: .off)
      #expect(seen.map { $0["unit"]?.stringValue } == [value])
    }
    let (seen, result) = try await delivered(hermes("f", "{\"unit\": \"a\"}"), "f", [unit], grammar: .off)
    #expect(seen.isEmpty && result.toolResults.first?.error?.contains("\"é\"") == true)
  }

  @Test("numbers that JSON doesn't know make no call run (case 37)", arguments: ["02", "1.", ".5", "1e", "+1", "NaN"])
  func numbers(_ written: String) async throws {
    let number = ToolParameter(name: "n", type: .number, description: "")
    let (seen, result) = try await delivered(hermes("f", "{\"n\": \(written)}"), "f", [number], grammar: .off)
    #expect(seen.isEmpty && result.toolResults.first?.success == false)
    let (good, _) = try await delivered(hermes("f", "{\"n\": 1E+10}"), "f", [number], grammar: .off)
    #expect(good.first?["n"]?.numberValue == 1e10)
  }

  @Test("cut behind one of two required arguments: nothing runs (case 47)")
  func cutBetweenArguments() async throws {
    let runs = Counter()
    let write = tool("write", [city, ToolParameter(name: "content", type: .string, description: "")]) { _ in
      runs.increment()
      return [:]
    }
    let generator = ScriptedGenerator([
      .init("<tool_call>\n{\"name\": \"write\", \"arguments\": {\"city\": \"x\"", reason: .length)
    ])
    let result = try await ToolLoop(generator: generator, tools: [write], options: ToolCallingOptions()).run("go")
    #expect(runs.value == 0 && result.finishReason == .length && result.toolCalls.isEmpty)
  }

  @Test("one call, then the answer, with a limit of one (case 48)")
  func answerAtTheLimit() async throws {
    let generator = ScriptedGenerator(hermes("t"), "The answer.")
    let result = try await ToolLoop(
      generator: generator, tools: [tool("t")], options: ToolCallingOptions(maxToolCalls: 1)
    ).run("go")
    #expect(result.text == "The answer." && result.toolCalls.count == 1 && result.limitReached)
  }
}
