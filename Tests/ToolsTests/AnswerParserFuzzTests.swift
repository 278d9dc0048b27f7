import JSON
import TestSupport
import Testing
import Tools

/// Turns of a model that were damaged on purpose, in chunks of random length.
@Suite("Fuzzing of call texts")
struct AnswerParserFuzzTests {
  private static let object = #"{"name": "log", "arguments": {"message": "say \"hi\" }", "meta": {"a": [1, {}]}}}"#
  private static let texts = [
    "Let me see. <tool_call>\n\(object)\n</tool_call>\nDone.", object, "```json\n\(object)\n```",
    "[\(object), \(object)]",
    "<tool_call>\(object)</tool_call>\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>",
    #"<|python_tag|>{"name": "f", "parameters": {"x": "\ud83c\udf27"}}"#,
    #"{"name": "f", "parameters": null}; {"name": "f"}"#,
    "plain text with { braces } and ```code``` in it", "<tool_call>nonsense</tool_call>", "{{\"name\": \"f\"}}", "",
    "{\"type\": \"function\", \"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}",
  ]
  private static let words = [
    "<tool_call>", "</tool_call>", "<tool_", "```json\n", "```", "\n```", "{", "}", "[", "]", "\"", "\\\"", "\\", ":",
    ",",
    ";", "{\"name\": \"f\", ", "\"arguments\": ", "\"parameters\": ", "\"name\": \"log\"", "\"name\": \"nosuch\"",
    "null",
    "<|python_tag|>", "<|eom_id|>", "<|im_end|>", "<think>", "</think>", "[TOOL_CALLS]", "<function=f>",
    "<|tool_call_start|>", "[f(a=1)]",
  ]

  private struct Turn: Equatable {
    var text = ""
    var calls: [String] = []
    var faults = 0
    /// Whether a call was started of which nothing more came.
    var isOpen = false
  }

  /// What `bytes` say when they come in chunks that end after whole characters, as the engine hands them over.
  private static func turn(
    _ text: String, _ format: ToolCallFormat, chunk: (inout SeededGenerator) -> Int, seed: UInt64, unknown: Bool
  ) throws -> Turn {
    var generator = SeededGenerator(seed: seed)
    var parser = AnswerParser(format: format.rules, toolNames: ["log", "f"], acceptsUnknownNames: unknown)
    var turn = Turn()
    var open: String?
    func take(_ pieces: [AnswerPiece]) throws {
      for piece in pieces {
        switch piece {
        case .text(let text): turn.text += text
        case .callStarted(let name): open = name
        case .arguments: if open == nil { throw FuzzFault("arguments of no call in \(text.debugDescription)") }
        case .call(let name, let arguments):
          guard open == name else {
            throw FuzzFault("\(name.debugDescription) was never started in \(text.debugDescription)")
          }
          open = nil
          turn.calls.append("\(name)\(JSONValue.object(arguments).spaced)")
        case .malformedCall, .unfinishedCall:
          open = nil
          turn.faults += 1
        }
      }
    }
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      let count = max(1, chunk(&generator))
      var delta = ""
      delta.unicodeScalars.append(contentsOf: rest.prefix(count))
      rest = rest.dropFirst(count)
      try take(parser.feed(delta))
    }
    try take(parser.finish())
    turn.isOpen = open != nil
    return turn
  }

  @Test("A damaged turn is text, calls or faults, and the same ones in chunks of any length")
  func damagedTurns() throws {
    let mutator = TextMutator(Self.texts, words: Self.words)
    let formats = ToolCallFormat.allCases
    var outcomes: [String: Int] = [:]
    try FuzzRun("calls", iterations: 1000).run { iteration in
      let text = mutator.mutatedText(iteration: iteration, seed: 13)
      FuzzRun.show(text.debugDescription)
      let format = formats[Int(iteration) % formats.count]
      let unknown = iteration % 3 == 0
      let whole = try Self.turn(text, format, chunk: { _ in .max }, seed: 0, unknown: unknown)
      let cut = try Self.turn(
        text, format, chunk: { Int.random(in: 1...9, using: &$0) }, seed: iteration, unknown: unknown)
      guard whole == cut else { throw FuzzFault("\(text.debugDescription): \(whole) at once, \(cut) in chunks") }
      guard !whole.isOpen else { throw FuzzFault("\(text.debugDescription): a call was started and never ended") }
      if whole.calls.isEmpty, whole.faults == 0, !whole.text.utf8.elementsEqual(text.utf8) {
        throw FuzzFault("\(text.debugDescription): the text came out as \(whole.text.debugDescription)")
      }
      outcomes[whole.calls.isEmpty ? whole.faults == 0 ? "text" : "fault" : "call", default: 0] += 1
    }
    #expect(Set(outcomes.keys) == ["text", "fault", "call"], "\(outcomes)")
    if outcomes.values.reduce(0, +) > 2000 { print("fuzzing calls: \(outcomes)") }
  }
}
