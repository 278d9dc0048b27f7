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

/// A whole tool call under the grammar of ten tools, with real vocabularies; what it costs is measured by `ra-bench masks` and
/// `ra-bench constrained`.
@Suite("Masks of tool calls (case 56)")
struct CallMaskTests {
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
    "every token of a call is allowed, over 128,000 and 152,000 tokens",
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
    var state = Matcher(try Grammar(branch.expression, options: branch.options), vocabulary: vocabulary)
    let ids = codec.encode([.init(text: call, isTemplate: true)])
    #expect(ids.count > 170)
    for (index, id) in ids.enumerated() {
      let mask = state.mask()
      try #require(mask.contains(id), "\(id) after \(index) tokens")
      let isTaken = state.accept(token: id)
      try #require(isTaken)
    }
    #expect(state.isComplete)
  }

  @Test(
    "a real model is cancelled in its prompt and in its answer (case 50)",
    .enabled(if: SmolLM2.isPresent, "needs SmolLM2 in the model folder"), .timeLimit(.minutes(10)))
  func cancelling() async throws {
    let model = try await LanguageModel(path: try #require(SmolLM2.path))
    _ = try await model.respond(to: "Hello", options: .init(maxTokens: 2, temperature: 0))
    for (prompt, wait) in [(String(repeating: "word and ", count: 2000), 150), ("Tell a long story.", 200)] {
      // 2,000 tokens take a minute in a debug build, and half of that in the best one.
      let task = Task { try await model.respond(to: prompt, options: .init(maxTokens: 2000, temperature: 1)) }
      try await Task.sleep(for: .milliseconds(wait))
      task.cancel()
      await #expect(throws: SDKError.self) { try await task.value }
    }
    #expect(try await !model.respond(to: "Hello", options: .init(maxTokens: 2, temperature: 0)).text.isEmpty)
  }
}
