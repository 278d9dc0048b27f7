import JSON
import Testing
import Tools

@testable import RunAnywhere

/// Every way of saving work gives what the plain way gives: one token, one pass, all logits.
///
/// The scripted model gives NaN for logits that weren't asked for, so a wrong row shows.
@Suite("Fast paths with a scripted model")
struct SpeedPathTests {
  /// The plain way, and each of the others by itself and all together.
  static let variants: [EngineSettings] = {
    func make(_ change: (inout EngineSettings) -> Void) -> EngineSettings {
      var settings = EngineSettings.plain
      change(&settings)
      return settings
    }
    return [
      make { $0.choosesRows = true },
      make { $0.forcesText = true },
      make {
        $0.forcesText = true
        $0.choosesRows = true
        $0.masksBeside = true
      },
      make { $0.draftLength = 8 },
      EngineSettings(),
    ]
  }()

  private static let schemas = [
    #"{"type": "object", "properties": {"city": {"type": "string", "maxLength": 12}, "n": {"type": "integer", "maximum": 9999}, "kind": {"enum": ["get_weather", "get_time", "other"]}}, "required": ["city", "n", "kind"], "additionalProperties": false}"#,
    #"{"type": "array", "items": {"type": "boolean"}, "minItems": 3, "maxItems": 5}"#,
    #"{"const": {"city": "the weather"}}"#,
    #"{"type": "string", "pattern": "^(the )+[a-c]{3}$", "maxLength": 40}"#,
  ]

  /// A model that likes pieces of its prompt and of its own output.
  private static func engine(_ settings: EngineSettings, log: ScriptedPredictor.Log? = nil) -> Engine {
    .scripted(log: log, settings: settings) { produced, seen in
      let last = seen.last ?? 0
      let copied = seen.dropLast().lastIndex(of: last).map { seen[$0 + 1] } ?? 97
      return [copied, 97 + produced.count % 5, 34, 49 + seen.count % 7, 125, 93, ByteCodec.end] + Array(256..<269)
    }
  }

  @Test("the same tokens under every schema, greedy and drawn", arguments: variants)
  func sameTokens(_ settings: EngineSettings) async throws {
    for schema in Self.schemas {
      for options in [
        LLMGenerationOptions(maxTokens: 120, temperature: 0),
        LLMGenerationOptions(maxTokens: 120, temperature: 1, topP: 0.9, topK: 6, seed: 6, repetitionPenalty: 1.3),
        LLMGenerationOptions(maxTokens: 120, temperature: 2, minP: 0.01, seed: 7),
      ] {
        var options = options
        options.schema = try JSONSchema(parsing: schema)
        let plain = try await LanguageModel(engine: Self.engine(.plain)).respond(to: "the city", options: options)
        let fast = try await LanguageModel(engine: Self.engine(settings)).respond(to: "the city", options: options)
        // Forced text is taken without drawing, and as the tokenizer cuts it, so what is drawn later may differ.
        if settings.forcesText {
          let other = try await LanguageModel(engine: Self.engine(Self.variants[1])).respond(
            to: "the city", options: options)
          #expect(fast.text == other.text)
        } else {
          #expect(fast.text == plain.text, "\(schema)")
        }
        #expect(fast.finishReason == plain.finishReason)
      }
    }
  }

  @Test("text with a single spelling needs no model at all")
  func noModel() async throws {
    let log = ScriptedPredictor.Log()
    let schema = try JSONSchema(parsing: #"{"const": {"city": "the weather", "n": [1, 2, 3]}}"#)
    let result = try await LanguageModel(engine: Self.engine(EngineSettings(), log: log)).respond(
      to: "q", generating: schema, options: .init(maxTokens: 100, temperature: 0))
    #expect(result.text == #"{"city": "the weather", "n": [1, 2, 3]}"#)
    #expect(log.all.isEmpty, "\(log.all)")
    #expect(result.usage.forcedTokens == result.usage.generatedTokens)
  }

  @Test("forced text runs in batches behind the prompt")
  func batches() async throws {
    let log = ScriptedPredictor.Log()
    let call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n</tool_call>"
    let weather = Tool(
      ToolDefinition(
        name: "get_weather", description: "", parameters: [ToolParameter(name: "city", type: .string, description: "")])
    ) { _ in [:] }
    let result = try await LanguageModel(engine: .conversing([call], log: log)).respond(
      to: "q", tools: [weather], options: ToolCallingOptions(autoExecute: false, temperature: 0, toolChoice: .required))
    #expect(result.toolCalls.map(\.description) == ["get_weather(city: \"Paris\")"])
    // What the model leans to behind a whole prompt, of which most is then cached; the call up to the city, its letters,
    // and a few passes to choose between an end and more.
    let turn = log.all.filter { $0 < 100 }
    #expect(turn.contains(TokenCursor.batch) && turn.allSatisfy { $0 <= TokenCursor.batch }, "\(log.all)")
    #expect(log.all.count <= "Paris\"".utf8.count + 9, "\(log.all)")
    #expect(result.usage.forcedTokens * 2 > result.usage.generatedTokens)
  }
}
