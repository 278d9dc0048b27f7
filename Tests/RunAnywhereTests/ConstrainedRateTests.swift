import ChatTemplate
import Foundation
import GGUF
import Grammar
import JSON
import RunAnywhere
import Sampling
import TestSupport
import Testing
import Tokenizer
import Tools

/// What a grammar costs. Times are judged in release builds only.
@Suite("The cost of a grammar (case 56)", .serialized)
struct ConstrainedRateTests {
  static let isRelease: Bool = {
    var isRelease = true
    assert(
      {
        isRelease = false
        return true
      }())
    return isRelease
  }()

  /// Ten tools of six parameters each.
  private func tools() throws -> [CallableTool] {
    try (0..<10).map { index in
      let schema = try JSONSchema(
        parsing: """
          {"type": "object", "properties": {"text_\(index)": {"type": "string"}, "count": {"type": "integer"}, \
          "unit": {"enum": ["celsius", "fahrenheit", "kelvin \(index)"]}, "exact": {"type": "boolean"}, \
          "ratio": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}}}, \
          "required": ["text_\(index)", "count", "unit", "exact", "ratio", "tags"], "additionalProperties": false}
          """)
      return CallableTool(name: "tool_number_\(index)", schema: schema.value)
    }
  }

  private let call = """
    <tool_call>
    {"name": "tool_number_7", "arguments": {"text_7": "\(String(repeating: "Some words in a string, then 7 more. ", count: 14))", \
    "count": 123456, "unit": "kelvin 7", "exact": true, "ratio": -3.25, "tags": ["one", "two words", "drei \u{1F327}", ""]}}
    </tool_call>
    """

  @Test(
    "compiling and masks over 128,000 and 152,000 tokens",
    .enabled(if: SharedData.isPresent, "needs the vocabularies in ../shared"),
    arguments: ["ggml-vocab-llama-bpe.gguf", "ggml-vocab-qwen2.gguf"])
  func masks(_ file: String) throws {
    let tokenizer = try Tokenizer(GGUFFile(path: SharedData.url("data/vocab/\(file)").path))
    let codec = TokenizerCodec(tokenizer)
    let vocabulary = Vocabulary(
      tokens: (0..<codec.vocabularySize).map { codec.controlIDs.contains($0) ? nil : codec.bytes(of: $0) },
      controls: codec.controlTokens, endTokens: codec.endOfTurn.sorted())
    let constraint = OutputConstraint.calls(try tools(), format: HermesFormat(), maximum: 1)
    let branch = try #require(constraint.branches.first)
    let clock = ContinuousClock()
    var matcher: Matcher?
    let first = try clock.measure {
      var new = Matcher(try Grammar(branch.expression, options: branch.options), vocabulary: vocabulary)
      _ = new.mask()
      matcher = new
    }
    var state = try #require(matcher)
    var times: [Duration] = []
    let ids = codec.encode([.init(text: call, isTemplate: true)])
    #expect(ids.count > 170)
    for id in ids {
      let start = clock.now
      let mask = state.mask()
      times.append(clock.now - start)
      try #require(mask.contains(id), "\(id) after \(times.count) tokens")
      let isTaken = state.accept(token: id)
      try #require(isTaken)
    }
    #expect(state.isComplete)
    times.sort()
    print(
      "\(file): compile and first mask \(first), mask median \(times[times.count / 2]), max \(times[times.count - 1])")
    guard Self.isRelease else { return }
    #expect(first < .milliseconds(200))
    #expect(times[times.count / 2] < .milliseconds(1))
    #expect(times[times.count - 1] < .milliseconds(20))
  }

  @Test(
    "a small model under a schema keeps at least 80 % of its free rate",
    .enabled(if: isRelease && SmolLM2.isPresent, "needs SmolLM2 in the model folder and a release build"))
  func rate() async throws {
    let model = try await LanguageModel(path: try #require(SmolLM2.path), draftLength: 0)
    let schema = try JSONSchema(
      parsing: #"{"type": "array", "items": {"type": "string", "minLength": 20, "maxLength": 60}, "minItems": 9}"#)
    var ratios: [Double] = []
    for _ in 0..<5 {
      var options = LLMGenerationOptions(maxTokens: 96, temperature: 0)
      let free = try await model.respond(to: "Tell a long story.", options: options).tokensPerSecond
      options.schema = schema
      ratios.append(try await model.respond(to: "Tell a long story.", options: options).tokensPerSecond / free)
    }
    print("constrained against free: \(ratios)")
    #expect(ratios.sorted()[2] >= 0.8)
  }

  @Test(
    "cancelling a real model ends within a token or a part of a chunk",
    .enabled(if: isRelease && SmolLM2.isPresent, "needs SmolLM2 in the model folder and a release build"))
  func cancelling() async throws {
    let model = try await LanguageModel(path: try #require(SmolLM2.path))
    _ = try await model.respond(to: "Hello", options: .init(maxTokens: 2, temperature: 0))
    let clock = ContinuousClock()
    for (prompt, wait) in [(String(repeating: "word and ", count: 2000), 150), ("Tell a long story.", 200)] {
      let task = Task { try await model.respond(to: prompt, options: .init(maxTokens: 2000, temperature: 1)) }
      try await Task.sleep(for: .milliseconds(wait))
      let start = clock.now
      task.cancel()
      await #expect(throws: SDKError.self) { try await task.value }
      let took = clock.now - start
      print("cancelled after \(took)")
      #expect(took < .milliseconds(500))
    }
  }
}
