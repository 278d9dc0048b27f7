import Foundation
import Testing

@testable import RunAnywhere

@Suite("Putting characters together")
struct CharacterAssemblerTests {
  /// A small generator, so that a failure can be repeated.
  private struct Random {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  @Test("bytes in any cuts give the text of all bytes, chunk for chunk in whole characters")
  func anyCuts() {
    let seed = UInt64.random(in: .min ... .max)
    var random = Random(state: seed)
    let parts = ["a", "é", "歪", "🌧️", "\u{FF}", "STOP", "\n"].map { Array($0.utf8) } + [[0xFF], [0xE6, 0xAD], [0x80]]
    for _ in 0..<2000 {
      let bytes = (0..<random.next(12)).flatMap { _ in parts[random.next(parts.count)] }
      var assembler = CharacterAssembler(stops: ["never"])
      var chunks: [String] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = min(1 + random.next(4), rest.count)
        chunks.append(assembler.append(Array(rest.prefix(count))))
        rest = rest.dropFirst(count)
      }
      chunks.append(assembler.finish())
      #expect(chunks.joined() == String(decoding: bytes, as: UTF8.self), "seed \(seed), \(bytes)")
    }
  }

  @Test("a stop text in any cuts ends the text before it; its beginning alone is told later")
  func stops() {
    let seed = UInt64.random(in: .min ... .max)
    var random = Random(state: seed)
    let parts = ["ab", "abc", "a", "é", "bc", "x"]
    for _ in 0..<2000 {
      let text = (0..<random.next(10)).map { _ in parts[random.next(parts.count)] }.joined()
      let stop = ["abc", "bca", "é", "aa"][random.next(4)]
      var assembler = CharacterAssembler(stops: [stop])
      var out = ""
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = min(1 + random.next(3), rest.count)
        out += assembler.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      out += assembler.finish()
      let expected = text.range(of: stop).map { String(text[..<$0.lowerBound]) } ?? text
      #expect(out == expected, "seed \(seed): \(text) until \(stop)")
      #expect(assembler.isStopped == (text.range(of: stop) != nil))
    }
  }
}
