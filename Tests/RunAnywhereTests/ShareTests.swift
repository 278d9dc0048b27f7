import Foundation
import TestSupport
import Testing

@testable import RunAnywhere

@Suite("The probability that one of several texts follows")
struct ShareTests {
  /// A model of a few tokens, whose preferences depend on all that came before.
  private static func slot(_ seed: UInt64, size: Int) -> GenerationSlot {
    GenerationSlot {
      ScriptedPredictor(size: size) { _, seen in
        var hash = seed
        for id in seen { hash = (hash ^ UInt64(id)) &* 0x100_0000_01B3 }
        var order = Array(0..<size)
        for index in order.indices.dropFirst() {
          hash = hash &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          order.swapAt(index, Int(hash >> 33) % (index + 1))
        }
        return order
      }
    }
  }

  @Test("equals the sum over all texts, each run by itself; the cache is then as it was", arguments: 0..<20)
  func sum(_ round: Int) throws {
    var random = SeededGenerator(seed: UInt64(round) + 77)
    let slot = ShareTests.slot(UInt64(round), size: 6)
    let scorer = ChoiceScorer(slot: slot, codec: ByteCodec(), cancellation: Cancellation())
    let prompt = (0..<5).map { _ in Int.random(in: 0..<6, using: &random) }
    // No text begins with another, as the beginnings of calls up to their names don't.
    var texts: [[Int]] = []
    for _ in 0..<24 {
      let text = (0..<Int.random(in: 1...5, using: &random)).map { _ in Int.random(in: 0..<4, using: &random) }
      if !texts.contains(where: { $0.starts(with: text) || text.starts(with: $0) }) { texts.append(text) }
    }
    var expected = 0.0
    for text in texts {
      expected += exp(try scorer.scores(of: [text], behind: prompt)[0])
    }
    let found = try scorer.share(of: texts, behind: prompt, floor: 1e-30)
    #expect(abs(found - expected) < 1e-9, "round \(round): \(found), \(expected)")
    #expect(slot.tokens == prompt)
    // What is settled early is bounded on both sides.
    for bound in [0.02, 0.2, 0.6] {
      var last = (0.0, 1.0)
      let early = try scorer.share(of: texts, behind: prompt, floor: 1e-30) { least, most in
        last = (least, most)
        return least >= bound || most < bound
      }
      #expect((early >= bound) == (expected >= bound), "round \(round), \(bound): \(early), \(expected)")
      #expect(last.0 <= expected + 1e-9 && early <= expected + 1e-9)
    }
  }
}
