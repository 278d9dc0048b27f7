import TestSupport
import Testing

@testable import Tokenizer

@Suite("Streaming decoder")
struct StreamingDecoderTests {
  /// Bytes are tokens 0...255 of the vocabulary, in order.
  private func chunks(_ bytes: [UInt8]) throws -> [String] {
    var decoder = StreamingDecoder(try TestVocabulary().tokenizer())
    return bytes.map { decoder.append(Int($0)) } + [decoder.finish()]
  }

  @Test("characters come whole")
  func whole() throws {
    #expect(try chunks(Array("🌧️歪".utf8)).filter { !$0.isEmpty } == ["🌧", "\u{FE0F}", "歪"])
    #expect(try chunks(Array("é!".utf8)) == ["", "é", "!", ""])
    #expect(try chunks([0xE6, 0xAD]) == ["", "", "\u{FFFD}"])
    #expect(try chunks([0xF0, 0x9F, 0x8C]) == ["", "", "", "\u{FFFD}"])
  }

  @Test("a bad byte does not hold back what follows")
  func badBytes() throws {
    #expect(try chunks([0xFF, 0x61]) == ["\u{FFFD}", "a", ""])
    #expect(try chunks([0xF0, 0x61]) == ["", "\u{FFFD}a", ""])
    #expect(try chunks([0xED, 0xA0, 0x80, 0x61]).joined() == "\u{FFFD}\u{FFFD}\u{FFFD}a")
    #expect(try chunks([0x80, 0x80, 0xC2, 0xC2, 0xA9]).joined() == "\u{FFFD}\u{FFFD}\u{FFFD}©")
  }

  @Test("control tokens are shown only on demand")
  func control() throws {
    let vocabulary = TestVocabulary()
    let tokenizer = try vocabulary.tokenizer()
    var hidden = StreamingDecoder(tokenizer)
    var shown = StreamingDecoder(tokenizer, showsControl: true)
    #expect(hidden.append(vocabulary.id("<|eot_id|>")) == "")
    #expect(shown.append(vocabulary.id("<|eot_id|>")) == "<|eot_id|>")
    #expect(hidden.append(vocabulary.id("<tool_call>")) == "<tool_call>")
  }

  @Test("joined chunks are the decoded whole, at most three bytes late", arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = RandomText(seed: seed)
    let bytes = random.bytes(30)
    let tokenizer = try TestVocabulary().tokenizer()
    var decoder = StreamingDecoder(tokenizer)
    var text = ""
    for (index, byte) in bytes.enumerated() {
      text += decoder.append(Int(byte))
      let whole = String(decoding: bytes[...index], as: UTF8.self)
      #expect(whole.utf8.starts(with: text.utf8) && text.unicodeScalars.count + 3 >= whole.unicodeScalars.count)
    }
    text += decoder.finish()
    #expect(text.utf8.elementsEqual(String(decoding: bytes, as: UTF8.self).utf8), "seed \(seed) \(bytes)")
  }
}
