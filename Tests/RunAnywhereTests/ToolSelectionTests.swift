import RunAnywhere
import Testing
import Tools

@Suite("Choosing a tool by its whole name")
struct ToolSelectionTests {
  private func tool(_ name: String) -> Tool {
    Tool(ToolDefinition(name: name, description: "", parameters: [])) { _ in [:] }
  }

  private func called(_ engine: Engine, _ names: [String], _ selection: ToolSelection) async throws -> String? {
    let options = ToolCallingOptions(
      autoExecute: false, temperature: 0, maxTokens: 200, toolChoice: .required, toolSelection: selection)
    return try await LanguageModel(engine: engine).respond(
      to: "question", tools: names.map(tool), options: options
    ).toolCalls.first?.toolName
  }

  /// The bytes that a model has written in this turn.
  private static func text(_ produced: [Int]) -> String {
    String(decoding: produced.flatMap { ByteCodec().bytes(of: $0) }, as: UTF8.self)
  }

  @Test("a name whose first letters are likelier does not win when the rest of it is not")
  func shortSighted() async throws {
    // Would like to write get_current_weather: "get_c" is likelier than "get_w", but "get_current_t" is most unlikely.
    let engine = Engine.scripted { produced, _ in
      let text = ToolSelectionTests.text(produced)
      for wish in ["get_current_weather\",", "get_weather\","] where text.hasSuffix("\"get_") {
        _ = wish
        return [99, 256 + 12, 119]
      }
      let rest = Array("get_current_weather".utf8)
      let tail = text.split(separator: "\"", omittingEmptySubsequences: false).last.map(String.init) ?? ""
      if !tail.isEmpty, "get_current_weather".hasPrefix(tail), tail.utf8.count < rest.count {
        return [Int(rest[tail.utf8.count])]
      }
      return [34, 125, 10, ByteCodec.end]
    }
    let names = ["get_weather", "get_current_time"]
    #expect(try await called(engine, names, .tokenByToken) == "get_current_time")
    #expect(try await called(engine, names, .wholeNames) == "get_weather")
  }

  @Test("calibration takes off what the model leans to when nothing is asked")
  func leaning() async throws {
    // Leans to "a" always, but less so when there is a question.
    let engine = Engine.scripted { produced, seen in
      let text = ToolSelectionTests.text(produced)
      guard text.hasSuffix(" \"") else { return [34, 125, 10, ByteCodec.end] }
      let asks = ToolSelectionTests.text(seen).contains("question")
      return asks ? [97, 98] : [97, 1, 2, 3, 4, 98]
    }
    #expect(try await called(engine, ["a", "b"], .wholeNames) == "a")
    #expect(try await called(engine, ["a", "b"], .calibrated) == "b")
  }

  @Test("after a call the end wins against a line end that leads to no other call")
  func endAfterCall() async throws {
    let call = "<tool_call>\n{\"name\": \"a\", \"arguments\": {}}\n</tool_call>"
    // Behind the call a line end is likeliest, but then the model would write prose.
    let engine = Engine.scripted { produced, _ in
      let text = ToolSelectionTests.text(produced)
      let bytes = Array(call.utf8)
      if text.utf8.count < bytes.count { return [Int(bytes[text.utf8.count])] }
      return text.hasSuffix(">") ? [10, ByteCodec.end] : [84, 104]
    }
    let options = ToolCallingOptions(autoExecute: false, temperature: 0, toolChoice: .required)
    let result = try await LanguageModel(engine: engine).respond(
      to: "question", tools: [tool("a"), tool("b")], options: options)
    #expect(result.toolCalls.map(\.toolName) == ["a"])
  }

  @Test("another call is made when the request makes it likelier than a request for one thing does")
  func anotherCall() async throws {
    let call = "<tool_call>\n{\"name\": \"a\", \"arguments\": {}}\n</tool_call>"
    // Another tool: the same call twice counts once.
    let two = Array("\(call)\n\(call.replacing("\"a\"", with: "\"b\""))".utf8)
    // Ends behind a call whatever is asked, but a little less surely when there are two things to do.
    let engine = Engine.scripted { produced, seen in
      let text = ToolSelectionTests.text(produced)
      if text.hasSuffix("</tool_call>") {
        let asks = ToolSelectionTests.text(seen).contains("two things")
        return text.utf8.count > call.utf8.count || !asks
          ? [ByteCodec.end, 1, 2, 3, 4, 5, 10] : [ByteCodec.end, 1, 10]
      }
      return text.utf8.count < two.count ? [Int(two[text.utf8.count])] : [ByteCodec.end]
    }
    for (question, count) in [("one thing", 1), ("two things", 2)] {
      for temperature in [0, 0.7] {
        let options = ToolCallingOptions(
          autoExecute: false, temperature: temperature, toolChoice: .required, seed: 1)
        let result = try await LanguageModel(engine: engine).respond(
          to: question, tools: [tool("a"), tool("b")], options: options)
        #expect(result.pendingCalls.count == count, "\(question) at \(temperature)")
      }
    }
  }

  @Test("values of an enumeration are chosen as a whole, those that another begins with as well (case 38)")
  func values() async throws {
    // Would like to write "north west": "north" is likelier than "south" at first, but "northern" is most unlikely.
    let wish = Array("<tool_call>\n{\"name\": \"a\", \"arguments\": {\"to\": \"".utf8)
    let engine = Engine.scripted { produced, _ in
      let text = ToolSelectionTests.text(produced)
      if text.utf8.count < wish.count { return [Int(wish[text.utf8.count])] }
      guard let value = text.split(separator: "\"", omittingEmptySubsequences: false).last.map(String.init) else {
        return []
      }
      if text.utf8.count == wish.count { return [110, 115] }
      if "north ".hasPrefix(value), value.utf8.count < 6 {
        return [Int(Array("north ".utf8)[value.utf8.count])]
      }
      if "south".hasPrefix(value), value.utf8.count < 5 { return [Int(Array("south".utf8)[value.utf8.count])] }
      return [34, 258, 125, 10, ByteCodec.end]
    }
    for (selection, wanted) in [(ToolSelection.tokenByToken, "northern"), (.wholeNames, "south")] {
      let to = ToolParameter(name: "to", type: .string, description: "", enumValues: ["northern", "south", "s"])
      let options = ToolCallingOptions(
        maxToolCalls: 1, autoExecute: false, temperature: 0, maxTokens: 200, toolChoice: .required,
        valueSelection: selection)
      let result = try await LanguageModel(engine: engine).respond(
        to: "question", tools: [Tool(ToolDefinition(name: "a", description: "", parameters: [to])) { _ in [:] }],
        options: options)
      #expect(result.pendingCalls.first?.arguments["to"]?.stringValue == wanted)
    }
  }

  @Test("scores leave the cache as it was")
  func cacheAfterScoring() async throws {
    let log = ScriptedPredictor.Log()
    let call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {}}\n</tool_call>"
    let model = LanguageModel(engine: .conversing([call, "Done."], log: log))
    let result = try await model.respond(
      to: "question", tools: [tool("get_weather"), tool("get_time")],
      options: ToolCallingOptions(temperature: 0, toolChoice: .required))
    #expect(result.toolCalls.map(\.toolName) == ["get_weather"])
    #expect(result.text == "Done.")
  }
}
