import TestSupport
import Testing

@testable import Tokenizer

@Suite("Tokenizer against its twins")
struct TokenizerTwinTests {
  @Test("pieces", arguments: PreTokenizer.allCases, 0..<150 as Range<UInt64>)
  func pieces(rule: PreTokenizer, seed: UInt64) {
    var random = RandomText(seed: seed)
    for _ in 0..<4 {
      let bytes = seed % 2 == 0 ? Array(random.text().utf8) : random.bytes()
      let pieces = split(bytes, by: rule)
      #expect(pieces == SplitTwin(rule: rule).pieces(bytes), "seed \(seed) \(bytes)")
    }
  }

  private func split(_ bytes: [UInt8], by rule: PreTokenizer) -> [[UInt8]] {
    bytes.withUnsafeBufferPointer { text in
      var scanner = TextScanner(text)
      var pieces: [[UInt8]] = []
      var start = 0
      while start < bytes.count {
        let end = scanner.pieceEnd(from: start, rule)
        guard end > start else { break }
        pieces.append(Array(bytes[start..<end]))
        start = end
      }
      return pieces
    }
  }

  @Test("merges", arguments: PreTokenizer.allCases, 0..<12 as Range<UInt64>)
  func merges(rule: PreTokenizer, seed: UInt64) throws {
    var random = RandomText(seed: seed)
    let vocabulary = TestVocabulary(random: 60, over: "ab é1\n", pre: rule.name, using: &random.generator)
    let tokenizer = try vocabulary.tokenizer()
    let twin = MergeTwin(vocabulary: vocabulary)
    for _ in 0..<6 {
      let bytes = random.bytes(10)
      #expect(tokenizer.encode(bytes: bytes) == twin.encode(bytes, rule), "seed \(seed) \(bytes)")
      // Long pieces are merged in another way.
      let letters = (0..<90).map { _ in UInt8(ascii: Bool.random(using: &random.generator) ? "a" : "b") }
      #expect(tokenizer.encode(bytes: letters) == twin.encode(letters, rule), "seed \(seed) \(letters)")
    }
  }

  @Test("decoding gives the bytes back", arguments: PreTokenizer.allCases, 0..<60 as Range<UInt64>)
  func roundTrip(rule: PreTokenizer, seed: UInt64) throws {
    var random = RandomText(seed: seed)
    let tokenizer = try TestVocabulary(random: 40, over: "ab é1\n", pre: rule.name, using: &random.generator)
      .tokenizer()
    for _ in 0..<5 {
      let text = random.text()
      #expect(tokenizer.decode(tokenizer.encode(text)).utf8.elementsEqual(text.utf8), "seed \(seed)")
      let bytes = random.bytes(40)
      let ids = tokenizer.encode(bytes: bytes)
      #expect(tokenizer.decodeBytes(ids) == bytes, "seed \(seed) \(bytes)")
      #expect(tokenizer.decode(ids).utf8.elementsEqual(String(decoding: bytes, as: UTF8.self).utf8), "seed \(seed)")
    }
  }
}
