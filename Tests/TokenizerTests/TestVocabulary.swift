import GGUF
import TestSupport

@testable import Tokenizer

/// A made-up vocabulary that a test can change before it makes a tokenizer of it.
struct TestVocabulary {
  var tokens: [String]
  var types: [Int32]
  var merges: [String]
  var pre: String? = "llama-bpe"
  var model: String? = "gpt2"
  /// Further keys, without `tokenizer.ggml.`.
  var extra: [String: GGUFWriter.Value] = [:]
  /// Keys left out of the file.
  var absent: Set<String> = []

  /// The tiny model's vocabulary.
  init(pre: String? = "llama-bpe") {
    let tiny = TinyVocabulary()
    (tokens, types, merges) = (tiny.tokens, tiny.types, tiny.merges)
    self.pre = pre
  }

  /// Every byte, and `count` merges of random tokens that occur in `alphabet`'s texts.
  init(random count: Int, over alphabet: String, pre: String, using generator: inout SeededGenerator) {
    tokens = TinyVocabulary.byteSpellings
    merges = []
    self.pre = pre
    var parts = Array(alphabet.utf8).map { TinyVocabulary.byteSpellings[Int($0)] }
    var known = Set(tokens)
    while merges.count < count {
      let left = parts[Int.random(in: 0..<parts.count, using: &generator)]
      let right = parts[Int.random(in: 0..<parts.count, using: &generator)]
      let line = "\(left) \(right)"
      guard (left + right).utf8.count < 14, !merges.contains(line) else { continue }
      merges.append(line)
      // The same token may come of several merges.
      if known.insert(left + right).inserted {
        tokens.append(left + right)
        parts.append(left + right)
      }
    }
    types = tokens.map { _ in 1 }
  }

  func id(_ spelling: String) -> Int {
    tokens.firstIndex { $0.utf8.elementsEqual(spelling.utf8) } ?? -1
  }

  func tokenizer() throws -> Tokenizer {
    var writer = GGUFWriter()
    var values = extra
    values["model"] = model.map { .string($0) }
    values["pre"] = pre.map { .string($0) }
    values["tokens"] = .strings(tokens)
    values["token_type"] = .int32s(types)
    values["merges"] = .strings(merges)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) where !absent.contains(key) {
      writer["tokenizer.ggml.\(key)"] = value
    }
    return try Tokenizer(GGUFFile(bytes: writer.bytes()))
  }
}

/// Random texts and bytes in which the splitting rules have much to do.
struct RandomText {
  var generator: SeededGenerator

  private static let parts = [
    " ", "  ", "\n", "\r\n", "\t", "\u{A0}", "\u{3000}", "\u{85}", "a", "b", "ab", "The", "é", "e\u{301}", "中文", "ſ",
    "한국", "ก", "न्", "🦙", "👩‍👧", "1", "23", "4567", "½", "Ⅷ", "٣", "'", "'s", "'S", "'ll", "'RE", "'ſ", "-", "->", "...",
    "</", "<|", "_", "\u{0}", "\u{7F}", "\u{FEFF}", "\u{10FFFF}",
  ]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func text(_ count: Int = 24) -> String {
    (0..<Int.random(in: 0...count, using: &generator)).map { _ in part() }.joined()
  }

  /// Text with bytes in it that are not UTF-8.
  mutating func bytes(_ count: Int = 24) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &generator)).flatMap { _ -> [UInt8] in
      guard Int.random(in: 0..<3, using: &generator) == 0 else { return Array(part().utf8) }
      return [UInt8.random(in: 0...255, using: &generator)]
    }
  }

  private mutating func part() -> String {
    if Int.random(in: 0..<6, using: &generator) == 0 {
      let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x3_0000, using: &generator))
      return scalar.map { String(Character($0)) } ?? "x"
    }
    return Self.parts[Int.random(in: 0..<Self.parts.count, using: &generator)]
  }
}
