import Foundation
import GGUF
import TestSupport
import Testing

@testable import Tokenizer

/// Random texts and bytes, there and back.
@Suite("Fuzzing of tokenizers")
struct TokenizerFuzzTests {
  /// The real vocabularies when they are there, and two made-up ones.
  private static func tokenizers() throws -> [(name: String, tokenizer: Tokenizer)] {
    var random = RandomText(seed: 2)
    var result: [(String, Tokenizer)] = []
    for rule in PreTokenizer.allCases {
      let vocabulary = TestVocabulary(random: 60, over: "ab é1\n", pre: rule.name, using: &random.generator)
      result.append((rule.name, try vocabulary.tokenizer()))
    }
    for file in ["ggml-vocab-llama-bpe.gguf", "ggml-vocab-qwen2.gguf"] where SharedData.isPresent {
      result.append((file, try Tokenizer(GGUFFile(path: SharedData.url("data/vocab/\(file)").path))))
    }
    return result
  }

  @Test("decoding what was encoded gives the text back, byte by byte, with and without control tokens")
  func roundTrips() throws {
    let tokenizers = try Self.tokenizers()
    let marks = tokenizers.map {
      Array($0.tokenizer.controlTokens.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    try FuzzRun("tokenizer-text", iterations: 1000).run { iteration in
      let index = Int(iteration % UInt64(tokenizers.count))
      let (name, tokenizer) = tokenizers[index]
      var random = RandomText(seed: iteration)
      func check(_ bytes: [UInt8], special: Bool) throws {
        let ids = tokenizer.encode(bytes: bytes, special: special)
        guard ids.allSatisfy((0..<tokenizer.vocabularySize).contains) else {
          throw FuzzFault("\(name): \(bytes): ids beyond the vocabulary: \(ids)")
        }
        guard tokenizer.decodeBytes(ids, showsControl: true) == bytes else {
          throw FuzzFault("\(name): \(bytes) comes back as \(tokenizer.decodeBytes(ids, showsControl: true))")
        }
        guard special || !ids.contains(where: { tokenizer.kind(of: $0) == .control }) else {
          throw FuzzFault("\(name): \(bytes): text became a control token")
        }
      }
      let bytes = iteration % 2 == 0 ? Array(random.text(40).utf8) : random.bytes(40)
      try check(bytes, special: false)
      var marked = bytes
      for _ in 0..<3 {
        guard let mark = marks[index].randomElement(using: &random.generator) else { break }
        let cut = Int.random(in: 0...3, using: &random.generator) == 0 ? mark.utf8.count / 2 : mark.utf8.count
        marked.insert(contentsOf: mark.utf8.prefix(cut), at: Int.random(in: 0...marked.count, using: &random.generator))
      }
      try check(marked, special: false)
      try check(marked, special: true)
    }
  }
}
