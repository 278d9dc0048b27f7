import Testing
import Tools

@testable import RunAnywhere

@Suite("Drafted tokens")
struct DraftTests {
  private static let text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"

  /// A model that copies its prompt, with one word in the middle changed, and is unsure now and then.
  private func copying(_ draftLength: Int, contextLength: Int = 4096, log: ScriptedPredictor.Log? = nil) -> Engine {
    var settings = EngineSettings()
    settings.draftLength = draftLength
    let answer = Array(Self.text.replacing("seven", with: "SEVEN").utf8).map(Int.init)
    return .scripted(contextLength: contextLength, log: log, settings: settings) { produced, _ in
      guard produced.count < answer.count else { return [ByteCodec.end] }
      let unsure = produced.count % 17 == 16 ? [120] : []
      return [answer[produced.count]] + unsure
    }
  }

  private func answer(
    _ engine: Engine, _ change: (inout LLMGenerationOptions) -> Void = { _ in }
  ) async throws -> LLMGenerationResult {
    var options = LLMGenerationOptions(maxTokens: 200, temperature: 0)
    change(&options)
    return try await LanguageModel(engine: engine).respond(to: Self.text, options: options)
  }

  @Test("copied text comes in few passes and is the same")
  func copies() async throws {
    let log = ScriptedPredictor.Log()
    let plain = try await answer(copying(0))
    let drafted = try await answer(copying(8, log: log))
    #expect(drafted.text == plain.text)
    #expect(drafted.usage.copiedTokens * 2 > drafted.usage.generatedTokens, "\(drafted.usage)")
    #expect(drafted.usage.draftedTokens >= drafted.usage.copiedTokens)
    #expect(log.all.count * 2 < drafted.usage.generatedTokens, "\(log.all)")
    #expect(plain.usage.draftedTokens == 0)
  }

  @Test("with a temperature and a seed the same tokens are drawn", arguments: 1...6)
  func drawn(_ seed: Int) async throws {
    func draw(_ length: Int) async throws -> LLMGenerationResult {
      try await answer(copying(length)) {
        $0.temperature = 2
        $0.repetitionPenalty = 1.1
        $0.seed = UInt64(seed)
      }
    }
    let (plain, drafted) = try await (draw(0), draw(8))
    #expect(drafted.text == plain.text)
    #expect(drafted.tokensUsed == plain.tokensUsed)
  }

  @Test("limits and stop texts cut inside a draft as they cut elsewhere")
  func cuts() async throws {
    for limit in 1...40 {
      let (plain, drafted) = try await (
        answer(copying(0)) { $0.maxTokens = limit }, answer(copying(8)) { $0.maxTokens = limit }
      )
      #expect(drafted.text == plain.text)
      #expect(drafted.tokensUsed == limit && drafted.finishReason == .length)
    }
    for stop in ["o three", "five", "ne ten e", "SEV"] {
      let (plain, drafted) = try await (
        answer(copying(0)) { $0.stopSequences = [stop] }, answer(copying(8)) { $0.stopSequences = [stop] }
      )
      #expect(drafted.text == plain.text)
      #expect(drafted.tokensUsed == plain.tokensUsed && drafted.finishReason == .stop)
    }
    for room in [115, 118, 120, 125] {
      let (plain, drafted) = try await (
        answer(copying(0, contextLength: room)), answer(copying(8, contextLength: room))
      )
      #expect(drafted.text == plain.text)
      #expect(drafted.inputTokens + drafted.tokensUsed == room)
    }
  }

  @Test("what was drafted in vain leaves nothing in the cache")
  func cache() async throws {
    for limit in [10, 31, 32, 33, 200] {
      let engine = copying(8)
      let slot = engine.makeSlot()
      let text = TextBox()
      _ = try await engine.generate(
        TurnRequest(messages: [.user(Self.text)], maxTokens: limit), slot: slot, onText: { text.append($0) })
      let prompt = engine.tokens(of: "<|im_start|>user\n\(Self.text)<|im_end|>\n<|im_start|>assistant\n", special: true)
      let turn = text.value.utf8.map(Int.init)
      #expect(slot.tokens.starts(with: prompt))
      #expect(turn.starts(with: slot.tokens.dropFirst(prompt.count)))
    }
  }

  @Test("under a grammar drafts stop where the mask forbids them")
  func grammar() async throws {
    func hold(_ length: Int) async throws -> LLMGenerationResult {
      var settings = EngineSettings()
      settings.draftLength = length
      // Copies what stood behind the same three tokens.
      let engine = Engine.scripted(settings: settings) { _, seen in
        let tail = Array(seen.suffix(3))
        let place = seen.indices.dropLast(3).last { $0 >= 3 && Array(seen[($0 - 3)..<$0]) == tail }
        return (place.map { [seen[$0]] } ?? [97]) + [34, 125, 93, 44]
      }
      return try await LanguageModel(engine: engine).respond(
        to: "[\"one two three\", \"four five six\", \"one two three\"]",
        generating: try JSONSchema(
          parsing: #"{"type": "array", "items": {"type": "string", "maxLength": 14}, "minItems": 3, "maxItems": 3}"#),
        options: .init(maxTokens: 100, temperature: 0))
    }
    let (plain, drafted) = try await (hold(0), hold(8))
    #expect(drafted.text == plain.text)
    #expect(drafted.usage.copiedTokens > 5, "\(drafted.usage) \(drafted.text)")
  }

  @Test("free text is drafted rarely")
  func freeText() async throws {
    let log = ScriptedPredictor.Log()
    let engine = Engine.scripted(log: log) { produced, _ in
      // Pairs come again and again, what follows them doesn't.
      let square = produced.count * produced.count
      return [97 + square % 19 % 7]
    }
    let result = try await LanguageModel(engine: engine).respond(
      to: "abcdefgabcdefg", options: .init(maxTokens: 400, temperature: 0))
    let lost = Double(result.usage.draftedTokens) * DraftPolicy.cost(1) - Double(result.usage.copiedTokens)
    #expect(lost <= 2.5, "\(result.usage)")
  }
}

/// Collects text, safely from anywhere.
private final class TextBox: Sendable {
  private let parts = Recorder<String>()
  func append(_ text: String) { parts.append(text) }
  var value: String { parts.all.joined() }
}
