import Foundation
import GGUF
import Grammar
import JSON
import RunAnywhere
import Sampling
import TestSupport
import Testing
import Tokenizer

/// Grammars with the vocabularies of real models; what they cost is measured by `ra-bench masks`.
@Suite("Grammar on real vocabularies", .enabled(if: SharedData.isPresent, "needs the vocabularies in ../shared"))
struct GrammarCostTests {
  /// Ten tools of six parameters.
  private static let tools: GrammarExpression = .choice(
    (0..<10).map { index in
      var properties = JSONObject()
      properties["city"] = ["type": "string"]
      properties["unit"] = ["enum": ["celsius", "fahrenheit", "kelvin"]]
      properties["days"] = ["type": "integer", "minimum": 1, "maximum": 16]
      properties["share"] = ["type": "number"]
      properties["tags"] = ["type": "array", "items": ["type": "string"], "maxItems": 4]
      properties["note\(index)"] = ["type": "string", "maxLength": 200]
      let schema: JSONValue = [
        "type": "object", "properties": .object(properties), "required": ["city", "unit"],
        "additionalProperties": false,
      ]
      return .sequence([
        .literal("{\"name\": \"tool_\(index)\", \"arguments\": "), .json(schema: schema), .literal("}"),
      ])
    })

  @Test(
    "masks equal a look at tokens one by one (case 56)",
    arguments: ["ggml-vocab-llama-bpe.gguf", "ggml-vocab-qwen2.gguf"])
  func masks(_ file: String) throws {
    let codec = TokenizerCodec(try Tokenizer(GGUFFile(path: SharedData.url("data/vocab/\(file)").path)))
    let vocabulary = Vocabulary(
      tokens: (0..<codec.vocabularySize).map { codec.bytes(of: $0) }, controls: codec.controlTokens,
      endTokens: codec.endOfTurn.sorted())
    var matcher = Matcher(try Grammar(Self.tools), vocabulary: vocabulary)
    _ = matcher.mask()
    let text =
      "{\"name\": \"tool_7\", \"arguments\": {\"city\": \"San Francisco, 北京 and \\\"Paris\\\"\", "
      + "\"unit\": \"kelvin\", \"days\": 12, \"share\": -0.25e-3, \"tags\": [\"a\", \"bc\"], "
      + "\"note7\": \"" + String(repeating: "one two ", count: 20) + "\"}}"
    var random = SeededGenerator(seed: 56)
    for id in codec.encode(bytes: Array(text.utf8)) {
      let mask = matcher.mask()
      // Each state on some tokens of the vocabulary, and on the one that comes.
      for token in (0..<40).map({ _ in Int.random(in: 0..<vocabulary.count, using: &random) }) + [id] {
        var trial = matcher
        let isTaken = trial.accept(token: token)
        #expect(isTaken == mask.contains(token), "token \(token), seed 56")
      }
      let isNext = matcher.accept(token: id)
      #expect(isNext)
    }
    #expect(matcher.isComplete)
  }
}
