import ChatTemplate
import JSON
import TestSupport
import Testing

@testable import Tools

@Suite("Calls in Python's notation")
struct PythonNotationTests {
  private func read(_ text: String) throws -> JSONObject {
    var reader = PythonReader(text.utf8)
    return try reader.arguments()
  }

  @Test(
    "literals of Python and of JSON",
    arguments: [
      ("()", [:]), ("( )", [:]), ("(a=1)", ["a": 1]),
      ("(a = -1.5e3 , b=.5, c=1., d=+2)", ["a": -1500.0, "b": 0.5, "c": 1.0, "d": 2]),
      ("(a='x', b=\"y\")", ["a": "x", "b": "y"]),
      ("(a=True, b=false, c=None, d=null,)", ["a": true, "b": false, "c": .null, "d": .null]),
      (#"(a='it\'s "q" \\ \n é \x41 é 🌧')"#, ["a": "it's \"q\" \\ \n é A é 🌧"]),
      (#"(a='\ud83c\udf27 \ud83c')"#, ["a": "🌧 \u{FFFD}"]), (#"(a='C:\dir')"#, ["a": #"C:\dir"#]),
      ("(a=[1, 'b', (2,), {'k': [True]}])", ["a": [1, "b", [2], ["k": [true]]]]),
      ("(**{\"a b\": 1}, c=2)", ["a b": 1, "c": 2]), ("(a=')', b='(', c=\"',\")", ["a": ")", "b": "(", "c": "',"]),
    ] as [(String, JSONObject)])
  func literals(_ text: String, _ expected: JSONObject) throws {
    #expect(try read(text) == expected)
  }

  @Test(
    "faults are told, never guessed",
    arguments: [
      "", "(", "(1)", "(a)", "(a=)", "(a=b)", "(a=1 b=2)", "(a=1, a=2)", "(a='x)", "(a=[1)", "(a={1: 2})", "(**1)",
      "(a=1__0)", "(a=nan)", "(a={'b' 1})",
      "(a=" + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + ")",
    ])
  func faults(_ text: String) {
    #expect(throws: CallObjectError.self) { try read(text) }
  }

  @Test("what is written is read back")
  func roundTrip() throws {
    let seed: UInt64 = 7_310
    var generator = SeededGenerator(seed: seed)
    for round in 0..<500 {
      var object = JSONObject()
      for index in 0..<Int.random(in: 0...3, using: &generator) {
        object["k\(index)"] = RandomArguments.value(&generator, depth: 2)
      }
      if round % 7 == 0 { object["odd key"] = 1 }
      let text = PythonNotation.text(name: "f", arguments: object)
      #expect(try read(String(text.dropFirst())) == object, "seed \(seed), round \(round): \(text)")
      var scanner = PythonCallScanner()
      let steps = text.utf8.map { scanner.scan($0) }
      #expect(steps.last == .ended && steps.dropLast().allSatisfy { $0 != .ended && $0 != .refused }, "\(text)")
    }
  }
}

/// Values that arguments may have.
enum RandomArguments {
  static let texts = [
    "Oslo", "", "it's", "say \"hi\"", "a\\b", "line\nend", "}", "])", "</function>", "</tool_call>", "[TOOL_CALLS]",
    "🌧️", "é",
    "<|tool_call_end|>", "x=1, y", "```", "{\"name\": \"f\"}",
  ]

  static func value(_ generator: inout SeededGenerator, depth: Int) -> JSONValue {
    switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &generator) {
    case 0: .integer(Int.random(in: -1000...1000, using: &generator))
    case 1: .double(Double(Int.random(in: -9...9, using: &generator)) / 4 + 0.125)
    case 2: .boolean(Bool.random(using: &generator))
    case 3: .null
    case 4: .string(texts[Int.random(in: 0..<texts.count, using: &generator)])
    case 5: .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(&generator, depth: depth - 1) })
    default:
      .object(
        JSONObject(
          (0..<Int.random(in: 0...2, using: &generator)).map { ("m\($0)", value(&generator, depth: depth - 1)) }))
    }
  }
}
