import GGUF
import RunAnywhere
import Tensor
import TestSupport
import Testing
import Transformer

@Suite("Memory for a context")
struct MemoryLimitTests {
  /// The most tokens that a refusal offers.
  private func offered(_ limit: MemoryLimit, _ model: Model, _ element: CacheLayout.Element) -> Int? {
    do throws(SDKError) {
      try limit.check(contextLength: 1 << 40, of: model, element: element)
      return nil
    } catch {
      guard error.code == .insufficientMemory else { return nil }
      return error.message.split(separator: " ").dropLast().last.flatMap { Int($0) }
    }
  }

  @Test("what is counted is what the cache takes in its own form", arguments: CacheLayout.Element.allCases)
  func counting(_ element: CacheLayout.Element) throws {
    let model = try Model(TinyModel().file())
    let context = try InferenceContext(model: model, pool: WorkerPool(threads: 1), cache: element)
    try context.forward(Array(repeating: 1, count: 3))
    let block = context.cache.byteCount
    let blocks = 5
    for (bytes, wanted) in [(block * blocks, blocks), (block * blocks - 1, blocks - 1), (block - 1, 0)] {
      let limit = MemoryLimit(physical: 1 << 50, cgroup: bytes)
      let tokens = try #require(offered(limit, model, element))
      #expect(tokens == wanted * CacheLayout.blockLength)
      if tokens > 0 { try limit.check(contextLength: tokens, of: model, element: element) }
      #expect(throws: SDKError.self) { try limit.check(contextLength: tokens + 1, of: model, element: element) }
    }
  }
}
