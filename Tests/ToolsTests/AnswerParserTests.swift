import JSON
import Testing
import Tools

@Suite("Telling text and calls apart")
struct AnswerParserTests {
  /// The pieces of a turn fed in chunks of every size; neighbouring pieces of one kind joined.
  private func pieces(
    _ text: String, _ format: any CallFormat = HermesFormat(), tools: [String] = ["log", "f"], unknown: Bool = false
  ) -> [AnswerPiece] {
    var first: [AnswerPiece]?
    for size in [1, 2, 3, 7, 1000] {
      var parser = AnswerParser(format: format, toolNames: tools, acceptsUnknownNames: unknown)
      var result: [AnswerPiece] = []
      var rest = Array(text.unicodeScalars)
      while !rest.isEmpty {
        var chunk = ""
        chunk.unicodeScalars.append(contentsOf: rest.prefix(size))
        rest.removeFirst(min(size, rest.count))
        result += parser.feed(chunk)
      }
      result = joined(result + parser.finish())
      if let first { #expect(result == first, "chunks of \(size)") } else { first = result }
    }
    return first ?? []
  }

  private func joined(_ pieces: [AnswerPiece]) -> [AnswerPiece] {
    var result: [AnswerPiece] = []
    for piece in pieces {
      switch (result.last, piece) {
      case (.text(let a)?, .text(let b)): result[result.count - 1] = .text(a + b)
      case (.arguments(let a)?, .arguments(let b)): result[result.count - 1] = .arguments(a + b)
      default: result.append(piece)
      }
    }
    return result
  }

  private func calls(_ pieces: [AnswerPiece]) -> [String] {
    pieces.compactMap { piece in
      if case .call(let name, let arguments) = piece { "\(name)\(JSONValue.object(arguments).spaced)" } else { nil }
    }
  }

  private func text(_ pieces: [AnswerPiece]) -> String {
    pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }

  @Test("a marked call with text around it")
  func markedCall() {
    let found = pieces("Let me see. \(hermes("f", "{\"a\": 1}"))\nDone.")
    #expect(
      found == [
        .text("Let me see. "), .callStarted("f"), .arguments("{\"a\": 1}"), .call(name: "f", arguments: ["a": 1]),
        .text("Done."),
      ])
  }

  @Test("the first bytes of a call are text only where text could be")
  func firstBytes() {
    for begun in ["<", "<tool_c", "{", "{\"name", "`"] {
      var parser = AnswerParser(format: HermesFormat(), toolNames: ["f"])
      #expect(parser.feed(begun) + parser.finish() == [.text(begun)])
      parser = AnswerParser(format: HermesFormat(), toolNames: ["f"])
      #expect(parser.feed(begun) + parser.finish(mustCall: true) == [.unfinishedCall(begun)])
    }
    #expect(pieces("<tool_call>\n") == [.unfinishedCall("<tool_call>\n")])
    #expect(pieces("So: <tool_call>") == [.text("So: "), .unfinishedCall("<tool_call>")])
  }

  @Test("several marked calls")
  func severalCalls() {
    #expect(calls(pieces(hermes("f") + "\n" + hermes("log", "{\"x\": [1, {}]}"))) == ["f{}", "log{\"x\": [1, {}]}"])
  }

  @Test(
    "braces, tags, quotes and escapes inside strings (case 35)",
    arguments: [
      "}A", "{", "</tool_call>", "<tool_call>{}", "say \"hi\"\n\\end", "```", "\u{1F327}\u{FE0F}", "",
    ])
  func stringsInCalls(_ message: String) {
    let arguments = JSONValue.object(["message": .string(message), "meta": ["a": ["b": ["c": [["d": 1]]]]]])
    let found = pieces(hermes("log", arguments.spaced))
    #expect(calls(found) == ["log\(arguments.spaced)"])
    #expect(text(found) == "")
  }

  @Test("escaped surrogates: a pair is one character, half of one is U+FFFD (case 35)")
  func surrogates() {
    #expect(calls(pieces(hermes("f", #"{"m": "\ud83c\udf27\ufe0f"}"#))) == ["f{\"m\": \"\u{1F327}\u{FE0F}\"}"])
    #expect(calls(pieces(hermes("f", #"{"m": "\ud83c"}"#))) == ["f{\"m\": \"\u{FFFD}\"}"])
  }

  @Test(
    "arguments that are absent, null or empty are none (case 40)",
    arguments: [
      #"{"name": "f", "parameters": {}}"#, #"{"name": "f", "parameters": null}"#, #"{"name": "f", "parameters": ""}"#,
      #"{"name": "f"}"#,
    ])
  func emptyArguments(_ object: String) {
    #expect(calls(pieces(object, LlamaFormat())) == ["f{}"])
    #expect(calls(pieces("<tool_call>\(object)</tool_call>")) == ["f{}"])
  }

  @Test("arguments as a string with JSON in it are taken out of it")
  func encodedArguments() {
    #expect(calls(pieces(#"{"name": "f", "arguments": "{\"a\": 1}"}"#)) == ["f{\"a\": 1}"])
  }

  @Test("bare, fenced and listed calls at the start of the answer")
  func otherSpellings() {
    let object = #"{"name": "f", "arguments": {"a": 1}}"#
    for spelling in [
      object, " \n\(object)", "```json\n\(object)\n```", "```\n\(object)\n```", "[\(object)]",
      "```json\n[\n\(object)\n]\n```",
      "{\n    \"name\": \"f\",\n    \"arguments\": {\n        \"a\": 1\n    }\n}",
      #"{"type": "function", "name": "f", "parameters": {"a": 1}}"#, #"{"arguments": {"a": 1}, "name": "f"}"#,
    ] {
      let found = pieces(spelling)
      #expect(calls(found) == ["f{\"a\": 1}"], "\(spelling)")
      #expect(text(found) == "", "\(spelling)")
    }
    #expect(calls(pieces("\(object); \(object)", LlamaFormat())).count == 2)
    #expect(calls(pieces("```json\n\(object)\n```\n\n```json\n\(object)\n```")).count == 2)
    #expect(text(pieces("```json\n\(object)\n```\n\n```json\n\(object)\n```\nThere.")) == "There.")
    #expect(calls(pieces("{\(object)}")) == ["f{\"a\": 1}"])
    #expect(calls(pieces("[\(object), \(object)]")).count == 2)
    #expect(calls(pieces("<|python_tag|>\(object)", LlamaFormat())).count == 1)
  }

  @Test(
    "what only looks like a call is text, unchanged",
    arguments: [
      "Here is how: ```json\n{\"name\": \"f\", \"arguments\": {}}\n```", #"{"name": "John", "age": 3}"#, "{",
      "```json\n{\"x\": 1}\n```",
      "```swift\nlet a = 1\n```", "[1, 2, 3]", "<tool", "a < b and c > d", "{}", #"{"name": 3}"#, #"{"nam"#, "",
      "`x`", "{{ x }}", "{\"name\": \"nosuch\", \"arguments\": {}}", "[f(a=1)]",
    ])
  func plainText(_ answer: String) {
    let found = pieces(answer)
    #expect(text(found) == answer)
    #expect(calls(found).isEmpty)
  }

  @Test("a bare call of a tool that doesn't exist counts only where nothing holds the model to the tools")
  func unknownTool() {
    let object = #"{"name": "nosuch", "arguments": {"a": 1}}"#
    #expect(calls(pieces(object, unknown: true)) == ["nosuch{\"a\": 1}"])
    #expect(calls(pieces(#"{"name": "John"}"#, unknown: true)).isEmpty)
    #expect(calls(pieces(hermes("nosuch"))) == ["nosuch{}"])
  }

  @Test("an unfinished call is told as such")
  func unfinished() {
    for cut in [
      "<tool_call>\n{\"name\": \"f\", \"argum", "<tool_call>\n{\"name", "{\"name\": \"f\", \"arguments\": {\"a\": \"x",
    ] {
      let found = pieces(cut)
      #expect(calls(found).isEmpty)
      #expect(
        found.contains { if case .unfinishedCall = $0 { true } else { false } }, "\(cut): \(found)")
    }
  }

  @Test("marks without an object in them are malformed calls, and what follows is read on")
  func malformed() {
    let found = pieces("<tool_call>nonsense</tool_call>\n\(hermes("f"))")
    #expect(calls(found) == ["f{}"])
    #expect(found.contains { if case .malformedCall("nonsense", _) = $0 { true } else { false } }, "\(found)")
  }
}
