import GGUF
import Tensor
import TestSupport
import Testing
import Tokenizer
import Transformer

@Suite("Models of gguf_cases.py")
struct GGUFCaseModelTests {
  /// Greedy ids after `hello`; `nil` when logits weren't finite.
  static func greedy(_ path: String, count: Int = 8) throws -> [Int]? {
    let file = try GGUFFile(path: path)
    let tokenizer = try Tokenizer(file)
    let model = try Model(file)
    let context = try InferenceContext(model: model, pool: WorkerPool(threads: 1), contextLength: 64)
    var ids = [tokenizer.bos].compactMap(\.self) + tokenizer.encode("hello")
    var result: [Int] = []
    while result.count < count {
      try context.forward(ids)
      let logits = context.logits(at: 0)
      guard logits.allSatisfy(\.isFinite) else { return nil }
      // Padded rows have no text and are never chosen.
      let best = (0..<tokenizer.vocabularySize).max { logits[$0] < logits[$1] } ?? 0
      result.append(best)
      ids = [best]
    }
    return result
  }

  @Test(
    "G4, G7, G9, I18: files that differ only in form answer as the base does; I21: a NaN weight shows",
    .enabled(if: GGUFCases.areAvailable, "needs ../shared/cases/gguf_cases.py and /usr/bin/python3"))
  func sameAnswers() throws {
    let cases = try GGUFCases()
    defer { cases.remove() }
    let expected = try #require(try Self.greedy(cases.path("base")))
    let same = cases.names.filter { $0.hasPrefix("ok-") }
    #expect(same.count >= 8)
    for name in same {
      #expect(try Self.greedy(cases.path(name)) == expected, "\(name)")
    }
    #expect(try Self.greedy(cases.path("nan-21-output-norm")) == nil)
  }
}
