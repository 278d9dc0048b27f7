import Foundation
import GGUF
import TestSupport
import Testing

@testable import Tokenizer

@Suite("Tokenizer goldens", .enabled(if: SharedData.isPresent, "needs the goldens in ../shared"))
struct GoldenTests {
  static let llama = try? Tokenizer(GGUFFile(path: SharedData.url("data/vocab/ggml-vocab-llama-bpe.gguf").path))
  static let qwen = try? Tokenizer(GGUFFile(path: SharedData.url("data/vocab/ggml-vocab-qwen2.gguf").path))

  private struct Golden: Decodable {
    let text: String
    let ids: [Int]
    let ids_parse_special: [Int]?
  }

  private func compare(_ tokenizer: Tokenizer?, with golden: String) throws {
    let tokenizer = try #require(tokenizer)
    for line in try SharedData.lines("data/tokenizer/\(golden).jsonl") {
      let golden = try JSONDecoder().decode(Golden.self, from: Data(line.utf8))
      let (text, ids) = (golden.text, golden.ids)
      // This vocabulary file lacks the tokens that newer ones of the family have for tool calls.
      if text.contains("<tool_call>"), tokenizer.controlTokens["<tool_call>"] == nil, ids.contains(151_657) { continue }
      #expect(tokenizer.encode(text) == ids, "\(text)")
      #expect(tokenizer.decode(ids).utf8.elementsEqual(text.utf8), "\(text)")
      if let special = golden.ids_parse_special {
        #expect(tokenizer.encode(text, special: true) == special, "\(text)")
      }
    }
  }

  @Test("Llama 3")
  func llama3() throws { try compare(Self.llama, with: "llama-bpe") }

  @Test("Qwen 2")
  func qwen2() throws { try compare(Self.qwen, with: "qwen2") }

  @Test(
    "reported texts",
    arguments: [
      (" Việt", [101798], [128324]), ("ệ Việt", [26298, 101798], nil), ("a\r\nb", [64, 319, 65], [64, 319, 65]),
      ("\r\n\r\n", [881], nil),
      ("🥳🥳🥳<", [9468, 98, 111, 9468, 98, 111, 9468, 98, 111, 27], [145863, 145863, 145863, 27]),
      ("👨‍👩‍👧", [9468, 239, 101, 102470, 9468, 239, 102, 102470, 9468, 239, 100], nil), ("กำไร", [104955, 105728], nil),
      ("नमस्ते", [61196, 88344, 79468, 100365, 35470], nil), ("12345", [4513, 1774], [16, 17, 18, 19, 20]),
      (" 2025", [220, 2366, 20], [220, 17, 15, 17, 20]), ("->", [405], [405]), ("(x):\n", [2120, 997], [2075, 982]),
      ("I'LL don't'S", [40, 6, 4178, 1541, 956, 13575], [40, 6, 4086, 1513, 944, 13272]), (" \n", [720], [715]),
      ("a\n\n\n b", [64, 1432, 293], [64, 1406, 293]), ("   x", [256, 865], nil), ("\u{85}", [116360], [126, 227]),
      ("\u{3000}\u{3000}x", [23249, 23249, 87], nil), ("½ Ⅷ ٣٤", [27154, 220, 71567, 100, 220, 117413, 124079], nil),
      ("\t\tif x:\n\t\t\treturn 1\n", [197, 748, 865, 512, 298, 862, 220, 16, 198], nil),
    ] as [(String, [Int], [Int]?)])
  func reported(text: String, llama: [Int], qwen: [Int]?) throws {
    #expect(Self.llama?.encode(text) == llama)
    if let qwen { #expect(Self.qwen?.encode(text) == qwen) }
  }

  @Test("half characters and bytes that are not UTF-8")
  func halves() throws {
    let tokenizer = try #require(Self.llama)
    #expect(tokenizer.encode(bytes: [0xE6, 0xAD]) == [15722])
    #expect(tokenizer.encode("歪") == [15722, 103])
    for bytes: [UInt8] in [[0xFF], [0x61, 0x80, 0x62], [0xED, 0xA0, 0x80]] {
      #expect(tokenizer.decodeBytes(tokenizer.encode(bytes: bytes)) == bytes)
    }
    #expect(tokenizer.decode([9468, 234, 100, 31643, 15722, 103, 9468]) == "🌧️歪\u{FFFD}")
  }

  @Test("a megabyte of one letter or of spaces", .timeLimit(.minutes(10)))
  func longRuns() throws {
    let tokenizer = try #require(Self.llama)
    // A tenth of it: debug builds are slow.
    for byte in [UInt8(ascii: "a"), UInt8(ascii: " "), UInt8(ascii: "\n")] {
      let bytes = [UInt8](repeating: byte, count: 100_000)
      #expect(tokenizer.decodeBytes(tokenizer.encode(bytes: bytes)) == bytes)
    }
  }
}
