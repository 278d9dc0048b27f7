import ChatTemplate
import Foundation
import Grammar
import JSON
import Sampling
import TestSupport
import Testing

@testable import Tools

/// What every format promises, one test for all of them.
@Suite("Call formats")
struct CallFormatTests {
  private static let end = 256

  private static let tools = [
    CallableTool(name: "now", schema: ["type": "object", "properties": [:], "additionalProperties": false]),
    CallableTool(
      name: "get_weather",
      schema: [
        "type": "object",
        "properties": [
          "city": ["type": "string"], "unit": ["type": "string", "enum": ["celsius", "it's"]],
          "days": ["type": "integer", "minimum": 1, "maximum": 7], "detailed": ["type": "boolean"],
        ], "required": ["city", "days"],
      ]),
    CallableTool(
      name: "search.docs-2",
      schema: [
        "type": "object",
        "properties": [
          "exact": ["type": "boolean"], "tags": ["type": "array", "items": ["type": "string"], "maxItems": 2],
          "filter": ["$ref": "#/$defs/filter"],
        ],
        "$defs": [
          "filter": ["type": "object", "properties": ["lang": ["enum": ["en", .null]]], "required": ["lang"]]
        ],
      ]),
  ]

  private static let formats: [any CallFormat] = ToolCallFormat.allCases.map(\.rules)

  private static let vocabulary = Vocabulary(
    tokens: (0..<256).map { [UInt8($0)] as [UInt8]? } + [nil], controls: ["<|im_end|>": end], endTokens: [end])

  private func matcher(_ expression: GrammarExpression) throws -> Matcher {
    Matcher(try Grammar(expression, options: .toolCalls), vocabulary: Self.vocabulary)
  }

  private func accepts(_ expression: GrammarExpression, _ text: String) throws -> Bool {
    accepts(try matcher(expression), text)
  }

  private func accepts(_ matcher: Matcher, _ text: String) -> Bool {
    var matcher = matcher
    for byte in text.utf8 {
      guard matcher.accept(token: Int(byte)) else { return false }
    }
    return matcher.isComplete
  }

  private func parse(_ text: String, _ format: any CallFormat, chunk: Int = 5) -> [AnswerPiece] {
    var parser = AnswerParser(format: format, toolNames: Self.tools.map(\.name))
    var pieces: [AnswerPiece] = []
    var rest = Array(text.unicodeScalars)
    while !rest.isEmpty {
      var part = ""
      part.unicodeScalars.append(contentsOf: rest.prefix(chunk))
      rest.removeFirst(min(chunk, rest.count))
      pieces += parser.feed(part)
    }
    return pieces + parser.finish()
  }

  private func calls(_ pieces: [AnswerPiece]) -> [(name: String, arguments: JSONObject)] {
    pieces.compactMap { if case .call(let name, let arguments) = $0 { (name, arguments) } else { nil } }
  }

  private func text(_ pieces: [AnswerPiece]) -> String {
    pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }

  /// The JSON that was told piece by piece, a text a call.
  private func told(_ pieces: [AnswerPiece]) -> [String] {
    var result: [String] = []
    for piece in pieces {
      switch piece {
      case .callStarted: result.append("")
      case .arguments(let delta): if !result.isEmpty { result[result.count - 1] += delta }
      default: break
      }
    }
    return result
  }

  /// A text that a grammar allows, chosen at random, with a leaning to what ends things.
  private func walk(_ start: Matcher, _ generator: inout SeededGenerator) -> String? {
    var matcher = start
    var bytes: [UInt8] = []
    let closers = Set("\"'}])>,:=".utf8.map(Int.init))
    while bytes.count < 600 {
      if matcher.isComplete, Int.random(in: 0..<2, using: &generator) == 0 {
        return String(decoding: bytes, as: UTF8.self)
      }
      let allowed = matcher.mask().ids.filter { $0 < 127 }
      guard !allowed.isEmpty else { return matcher.isComplete ? String(decoding: bytes, as: UTF8.self) : nil }
      let near = allowed.filter(closers.contains)
      let pool = !near.isEmpty && Int.random(in: 0..<3, using: &generator) > 0 ? near : Array(allowed)
      let id = pool[Int.random(in: 0..<pool.count, using: &generator)]
      guard matcher.accept(token: id) else { return nil }
      bytes.append(UInt8(id))
    }
    return nil
  }

  @Test("whatever the canonical grammar lets a model write is read as calls that fit their schemas, and nothing else")
  func walks() throws {
    let seed: UInt64 = 20_261_130
    var generator = SeededGenerator(seed: seed)
    for format in Self.formats {
      let canonical = try matcher(format.canonicalCalls(Self.tools, maximum: 3))
      let spelled = try matcher(format.spelledCalls(Self.tools, maximum: 3))
      var ended = 0
      for round in 0..<12 {
        guard let written = walk(canonical, &generator) else { continue }
        ended += 1
        let place = "seed \(seed), \(format.kind), round \(round): \(written)"
        let pieces = parse(written, format, chunk: 1 + round % 9)
        let found = calls(pieces)
        #expect(!found.isEmpty && text(pieces).isEmpty, "\(place)")
        for call in found {
          let tool = Self.tools.first { $0.name == call.name }
          let fault = tool.map { ArgumentCheck.fault(in: call.arguments, schema: $0.schema) ?? "" } ?? "no such tool"
          #expect(fault.isEmpty, "\(place)")
        }
        let objects: [JSONValue] = try told(pieces).map { try JSONValue(parsing: $0.isEmpty ? "{}" : $0) }
        #expect(objects == found.map { JSONValue.object($0.arguments) }, "\(place)")
        // What must be written when a call is required may also be written when it isn't.
        #expect(accepts(spelled, written), "\(place)")
      }
      #expect(ended >= 8, "\(format.kind): only \(ended) of 12 walks ended")
    }
  }

  @Test("the choice among tools stands where the grammar has it, by whole names")
  func choice() throws {
    for format in Self.formats {
      var matcher = try matcher(format.canonicalCalls(Self.tools, maximum: 2))
      for byte in format.choiceTrigger.utf8 {
        let isTaken = matcher.accept(token: Int(byte))
        #expect(isTaken, "\(format.kind)")
      }
      for tool in Self.tools {
        var copy = matcher
        let isTaken = copy.accept(bytes: Array(format.choice(of: tool.name).utf8))
        #expect(isTaken, "\(format.kind) \(tool.name)")
      }
      let example = try #require(format.example("now"))
      #expect(try accepts(format.canonicalCalls(Self.tools, maximum: 2), example), "\(example)")
      #expect(calls(parse(example, format)).map(\.name) == ["now"])
    }
  }

  /// Spellings of `get_weather` with a city and a number of days, by format.
  private static let spellings: [(ToolCallFormat, [String])] = {
    let object = #"{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}"#
    let anyFormat = [object, "```json\n\(object)\n```", "[\(object)]"]
    let list = "[get_weather(city='Oslo', days=2)]"
    return [
      (
        .mistral,
        anyFormat + [
          "[TOOL_CALLS][\(object)]", "[TOOL_CALLS] [\(object)]",
          #"[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}, "id": "a1B2c3D4e"}]"#,
        ]
      ),
      (
        .mistralNamed,
        anyFormat + [
          #"[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo", "days": 2}"#,
          #"[TOOL_CALLS]get_weather[CALL_ID]call00001[ARGS]{"city": "Oslo", "days": 2}"#,
        ]
      ),
      (.functionary, anyFormat + [#"<function=get_weather>{"city": "Oslo", "days": 2}</function>"#]),
      (
        .lfm,
        anyFormat + [
          "<|tool_call_start|>\(list)<|tool_call_end|>", list, #"[get_weather(city="Oslo", days=2)]"#,
          "<|tool_call_start|>[\(object)]<|tool_call_end|>",
        ]
      ),
      (.pythonic, anyFormat + [list, "<|python_tag|>\(list)", #"[get_weather(city="Oslo", days=2)]"#]),
      (.llama, anyFormat + [list, object.replacing("arguments", with: "parameters"), "<|python_tag|>\(object)"]),
      (.hermes, anyFormat + ["<tool_call>\n\(object)\n</tool_call>"]),
    ]
  }()

  @Test("no known spelling of a call reaches the user as text, and the grammar of a free turn allows each")
  func knownSpellings() throws {
    for (kind, spellings) in Self.spellings {
      for spelling in spellings {
        let pieces = parse(spelling, kind.rules)
        let found = calls(pieces)
        #expect(found.map(\.name) == ["get_weather"] && text(pieces).isEmpty, "\(kind): \(spelling): \(pieces)")
        #expect(found.first?.arguments == ["city": "Oslo", "days": 2], "\(kind): \(spelling)")
        let allowed = try accepts(kind.rules.spelledCalls(Self.tools, maximum: 2), spelling)
        let isFlexible = spelling.contains("```") || spelling.hasPrefix("[{") || spelling.hasPrefix("{")
        #expect(allowed || isFlexible, "\(kind): \(spelling)")
      }
    }
  }

  @Test("text around marked calls stays text, also when it comes letter by letter")
  func textAround() {
    for (kind, call) in [
      (ToolCallFormat.functionary, "<function=now>{}</function>"),
      (.lfm, "<|tool_call_start|>[now()]<|tool_call_end|>"),
      (.lfm, "<|tool_call_start|>[now(), now()]<|tool_call_end|>"),
      (.mistral, #"[TOOL_CALLS][{"name": "now", "arguments": {}}]"#), (.mistralNamed, "[TOOL_CALLS]now[ARGS]{}"),
    ] {
      for chunk in [1, 4, 1000] {
        let pieces = parse("Let me see [1]. \(call)\nDone (f(x)).", kind.rules, chunk: chunk)
        #expect(text(pieces) == "Let me see [1]. Done (f(x)).", "\(kind): \(pieces)")
        #expect(calls(pieces).count == call.components(separatedBy: "now").count - 1)
      }
    }
  }

  @Test(
    "what only looks like a call is text, unchanged",
    arguments: [
      "[1, 2]", "[link](http://x.y)", "[citation needed]", "[f(a=1)]", "[now", "[", "now()", "f(x) = 2", "[]",
    ])
  func plainText(_ answer: String) {
    for kind in [ToolCallFormat.pythonic, .llama, .lfm, .functionary, .mistral] {
      let pieces = parse(answer, kind.rules)
      #expect(text(pieces) == answer && calls(pieces).isEmpty, "\(kind): \(pieces)")
    }
  }

  @Test("calls that can't be read are told as such")
  func malformed() {
    for (kind, text) in [
      (ToolCallFormat.functionary, "<function=now>{\"a\": }</function>"),
      (.lfm, "<|tool_call_start|>[now(1)]<|tool_call_end|>"),
      (.mistralNamed, "[TOOL_CALLS]now[ARGS]{\"a\" 1}"),
    ] {
      let pieces = parse(text, kind.rules)
      #expect(calls(pieces).isEmpty && self.text(pieces).isEmpty)
      #expect(pieces.contains { if case .malformedCall = $0 { true } else { false } }, "\(kind): \(pieces)")
    }
    for (kind, text) in [
      (ToolCallFormat.functionary, "<function=get_weather>{\"city\": \"Os"),
      (.lfm, "<|tool_call_start|>[get_weather(city='Os"),
      (.mistralNamed, "[TOOL_CALLS]get_wea"), (.mistral, "[TOOL_CALLS][{\"name\": \"get"),
    ] {
      let pieces = parse(text, kind.rules)
      #expect(pieces.contains { if case .unfinishedCall = $0 { true } else { false } }, "\(kind): \(pieces)")
      #expect(self.text(pieces).isEmpty)
    }
  }

  @Test(
    "calls in the history, as the family's template writes them, are read back",
    .enabled(if: SharedData.isPresent, "needs the templates in ../shared"),
    arguments: [
      ("mistralai-Mistral-Nemo-Instruct-2407", .mistral), ("Mistral-Small-3.2-24B-Instruct-2506", .mistralNamed),
      ("unsloth-mistral-Devstral-Small-2507", .mistralNamed), ("meetkai-functionary-medium-v3.1", .functionary),
      ("LFM2.5-8B-A1B", .lfm), ("LFM2.5-Instruct", .lfm), ("LFM2-8B-A1B", .lfm),
      ("meta-llama-Llama-3.1-8B-Instruct", .llama), ("Qwen-Qwen2.5-7B-Instruct", .hermes),
    ] as [(String, ToolCallFormat)])
  func history(_ name: String, _ kind: ToolCallFormat) throws {
    let source = String(decoding: try SharedData.bytes("data/templates/jinja/\(name).jinja"), as: UTF8.self)
    let marks: Set = kind == .lfm ? ["<|tool_call_start|>", "<|tool_call_end|>"] : []
    let prompt = try ChatPrompt(source: source, controlTokens: marks, eosToken: "</s>")
    let question = ChatMessage.user("Weather?")
    let written: [(String, JSONObject)] = [
      ("get_weather", ["city": "Oslo", "days": 2]), ("search.docs-2", ["exact": true, "tags": ["a", "b"]]),
      ("now", [:]),
    ]
    // One call a turn where the template refuses more.
    let turns = prompt.traits.supportsParallelCalls ? [written] : written.map { [$0] }
    for turn in turns {
      let calls = turn.enumerated().map {
        ChatMessage.ToolCall(id: "call0000\($0)", name: $1.0, arguments: .object($1.1))
      }
      let tools: [JSONValue] = Self.tools.map {
        ["type": "function", "function": ["name": .string($0.name), "description": "d", "parameters": $0.schema]]
      }
      let before = try prompt.segments(messages: [question], tools: tools, wording: .templateOnly).text
      let after = try prompt.segments(
        messages: [question, .assistant("", toolCalls: calls)], tools: tools, addGenerationPrompt: false,
        wording: .templateOnly
      ).text
      #expect(after.hasPrefix(before), "\(name)")
      var answer = String(after.dropFirst(before.count))
      for end in ["<|im_end|>", "<|eot_id|>", "<|eom_id|>", "</s>"] {
        if let place = answer.range(of: end) { answer = String(answer[..<place.lowerBound]) }
      }
      let pieces = parse(answer, kind.rules)
      #expect(text(pieces).trimmingCharacters(in: .whitespacesAndNewlines).isEmpty, "\(name): \(answer)")
      #expect(self.calls(pieces).map(\.name) == turn.map(\.0), "\(name): \(answer)")
      #expect(self.calls(pieces).map(\.arguments) == turn.map(\.1), "\(name): \(answer)")
    }
  }
}
