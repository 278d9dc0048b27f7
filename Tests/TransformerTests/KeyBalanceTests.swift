import GGUF
import TestSupport
import Testing

@testable import Tensor
@testable import Transformer

/// The factors that even out keys with biases before they are rounded to 8 bits.
@Suite struct KeyBalanceTests {
  /// A model whose key biases are small but for one pair of each head.
  private static func model(_ architecture: TinyModel.Architecture, bias: Float = 100) throws -> Model {
    let tiny = TinyModel.wide(architecture, .q8_0)
    var edited = try EditedModel(tiny)
    let width = tiny.keyValueHeads * tiny.headWidth
    var biases = [Float](repeating: 0.1, count: width)
    for head in 0..<tiny.keyValueHeads { biases[head * tiny.headWidth + 3] = bias }
    for name in ["attn_q", "attn_v"] where architecture == .llama {
      edited.set("blk.0.\(name).bias", [name == "attn_q" ? tiny.heads * tiny.headWidth : width])
    }
    edited.set("blk.0.attn_k.bias", [width], biases)
    return try edited.model()
  }

  private static func balance(_ model: Model) -> KeyBalance { KeyBalance(model.blocks[0], model.configuration) }

  /// What `balance` makes of ones: the factors themselves.
  private static func factors(_ balance: KeyBalance, _ c: ModelConfiguration) -> (keys: [Float], queries: [Float]) {
    var keys = [Float](repeating: 1, count: c.keyWidth)
    var queries = [Float](repeating: 1, count: c.queryWidth)
    balance.apply(key: &keys)
    balance.apply(query: &queries)
    return (keys, queries)
  }

  /// The other element of the pair that rope rotates.
  private static func partner(_ d: Int, _ c: ModelConfiguration) -> Int {
    let half = c.keyLength / 2
    return c.ropePairing == .interleaved ? d ^ 1 : (d + half) % c.keyLength
  }

  @Test(arguments: [TinyModel.Architecture.llama, .qwen2])
  func factorsAreWhatIsExpectedOfThePair(architecture: TinyModel.Architecture) throws {
    let model = try Self.model(architecture)
    let c = model.configuration
    let block = model.blocks[0]
    let bias = try #require(block.keyBias)
    let weights = block.key.decoded()
    func deviation(_ d: Int) -> Double {
      (0..<c.embeddingLength).reduce(0.0) { sum, j in
        let product = Double(weights[d * c.embeddingLength + j]) * Double(block.attentionNorm.pointer[j])
        return sum + product * product
      }.squareRoot()
    }
    let (keys, queries) = Self.factors(Self.balance(model), c)
    for head in 0..<c.keyValueHeadCount {
      for d in 0..<c.keyLength {
        let (first, second) = (head * c.keyLength + d, head * c.keyLength + Self.partner(d, c))
        let (a, b) = (Double(bias.pointer[first]), Double(bias.pointer[second]))
        let size = (a * a + b * b).squareRoot() + 3 * max(deviation(first), deviation(second))
        #expect(abs(Double(keys[first]) * size - 1) < 1e-5)
        // Both elements of a pair have one factor: rope and balance may come in either order.
        #expect(keys[first] == keys[second])
        for query in head * c.groupSize..<(head + 1) * c.groupSize {
          #expect(abs(Double(queries[query * c.keyLength + d]) / size - 1) < 1e-5)
        }
      }
    }
    #expect((keys.max() ?? 0) > 10 * (keys.min() ?? 0))
  }

  @Test(arguments: [TinyModel.Architecture.llama, .qwen2], 1...4)
  func scoresStayWhatTheyAre(architecture: TinyModel.Architecture, seed: Int) throws {
    let model = try Self.model(architecture)
    let c = model.configuration
    var generator = SeededGenerator(seed: UInt64(seed))
    let balance = Self.balance(model)
    let table = RopeTable(frequencies: model.ropeFrequencies, queryScale: 1)
    table.fill(first: 37, count: 2)
    let (key, query) = (generator.gaussians(c.keyWidth), generator.gaussians(c.queryWidth))
    /// The scores of all heads, balanced or not, before rope or after it.
    func scores(_ balance: KeyBalance?, first: Bool) -> [Double] {
      var (key, query) = (key, query)
      let kernels = ForwardKernels.best
      func apply() {
        balance?.apply(key: &key)
        balance?.apply(query: &query)
      }
      if first { apply() }
      kernels.rope(
        &key, heads: c.keyValueHeadCount, angles: table.angles(0, scaled: false), pairing: c.ropePairing)
      kernels.rope(&query, heads: c.headCount, angles: table.angles(1, scaled: true), pairing: c.ropePairing)
      if !first { apply() }
      return (0..<c.headCount).map { head in
        (0..<c.keyLength).reduce(0.0) {
          $0 + Double(query[head * c.keyLength + $1]) * Double(key[head / c.groupSize * c.keyLength + $1])
        }
      }
    }
    let plain = scores(nil, first: true)
    for first in [true, false] {
      for (balanced, expected) in zip(scores(balance, first: first), plain) {
        #expect(abs(balanced - expected) < 2e-4, "seed \(seed), balanced \(first ? "before" : "after") rope")
      }
    }
  }

  /// Keys as the model makes them, rounded to the cache's 8 bits: balanced ones keep what the large element would swallow.
  @Test(arguments: 1...4)
  func roundingLosesLess(seed: Int) throws {
    let model = try Self.model(.qwen2)
    let c = model.configuration
    let bias = try #require(model.blocks[0].keyBias)
    let balance = Self.balance(model)
    var generator = SeededGenerator(seed: UInt64(seed))
    /// The mean square of how far the scores of a key move when it is rounded.
    func error(_ balance: KeyBalance?, _ key: [Float], _ query: [Float]) -> Double {
      var (key, query) = (key, query)
      balance?.apply(key: &key)
      balance?.apply(query: &query)
      var sum = 0.0
      for head in 0..<c.headCount {
        let start = head / c.groupSize * c.keyLength
        for group in stride(from: 0, to: c.keyLength, by: 32) {
          let part = start + group..<start + min(group + 32, c.keyLength)
          let scale = (part.map { abs(key[$0]) }.max() ?? 0) / 127
          let moved = part.reduce(0.0) { sum, d in
            let rounded = (key[d] / scale).rounded(.toNearestOrEven) * scale
            return sum + Double(query[head * c.keyLength + d - start]) * Double(rounded - key[d])
          }
          sum += moved * moved
        }
      }
      return sum / Double(c.headCount)
    }
    var (plain, balanced) = (0.0, 0.0)
    for _ in 0..<20 {
      let noise = generator.gaussians(c.keyWidth)
      let key = noise.indices.map { noise[$0] + bias.pointer[$0] }
      let query = generator.gaussians(c.queryWidth)
      plain += error(nil, key, query)
      balanced += error(balance, key, query)
    }
    #expect(balanced * 9 < plain, "seed \(seed): \(balanced) balanced, \(plain) not")
  }

  /// What is no ordinary size leaves things as they are.
  @Test(arguments: [Float.nan, .infinity, 1e30])
  func strangeBiases(bias: Float) throws {
    let model = try Self.model(.qwen2, bias: bias)
    let c = model.configuration
    let (keys, queries) = Self.factors(Self.balance(model), c)
    #expect(keys[3] == 1 && queries[3] == 1)
    #expect(keys.allSatisfy(\.isFinite) && queries.allSatisfy(\.isFinite))
    #expect(keys[4] != 1)
  }

  @Test func servesCachesOfEightBitsWhereKeysHaveBiases() throws {
    func count(_ architecture: TinyModel.Architecture, _ cache: CacheLayout.Element) throws -> Int {
      let model = try Model(TinyModel.wide(architecture).file())
      return try InferenceContext(model: model, pool: WorkerPool(threads: 1), cache: cache).balances.count
    }
    #expect(try count(.qwen2, .q8_0) == 1)
    #expect(try count(.qwen2, .f16) == 0)
    #expect(try count(.llama, .q8_0) == 0)
  }

  /// Logits with large biases and the 8-bit cache are near those of the F32 cache.
  @Test func logitsWithLargeBiases() throws {
    let model = try Self.model(.qwen2, bias: 30)
    let ids = tokens(40)
    func logits(_ cache: CacheLayout.Element) throws -> [[Float]] {
      try InferenceContext(model: model, pool: WorkerPool(threads: 1), precision: .exact, cache: cache).run(ids)
    }
    let moved = distance(try logits(.q8_0), try logits(.f32))
    #expect(moved < 0.1)
  }
}
