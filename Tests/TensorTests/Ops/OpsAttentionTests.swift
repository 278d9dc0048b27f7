import Foundation
import TestSupport
import Testing

@testable import Tensor

/// Attention of every instruction set against the definition in double precision, over caches of odd lengths.
@Suite struct OpsAttentionTests {
  struct Shape: CustomTestStringConvertible {
    let heads, keyHeads, keyLength, valueLength: Int
    var testDescription: String { "\(heads)/\(keyHeads) x \(keyLength)/\(valueLength)" }
  }

  static let shapes = [
    Shape(heads: 4, keyHeads: 4, keyLength: 16, valueLength: 16),
    Shape(heads: 4, keyHeads: 2, keyLength: 64, valueLength: 64),
    Shape(heads: 9, keyHeads: 3, keyLength: 64, valueLength: 64),
    Shape(heads: 6, keyHeads: 1, keyLength: 128, valueLength: 128),
    Shape(heads: 5, keyHeads: 1, keyLength: 10, valueLength: 10),
    Shape(heads: 7, keyHeads: 1, keyLength: 80, valueLength: 80),
    Shape(heads: 13, keyHeads: 1, keyLength: 24, valueLength: 40),
  ]

  @Test(arguments: shapes, CacheLayout.Element.allCases)
  func oneToken(shape: Shape, element: CacheLayout.Element) {
    for positions in [1, 5, 17, 63, 257] {
      check(shape, element, tokens: 1, position: positions - 1)
    }
  }

  @Test(arguments: shapes, CacheLayout.Element.allCases)
  func severalTokens(shape: Shape, element: CacheLayout.Element) {
    for (tokens, position) in [(2, 0), (19, 0), (5, 60), (8, 252), (26, 0)] {
      check(shape, element, tokens: tokens, position: position)
    }
  }

  /// One score far above the others, first, last, and in the middle of a tile.
  @Test(arguments: [0, 1, 63, 64, 199])
  func peaks(at peak: Int) {
    for element in CacheLayout.Element.allCases {
      check(Self.shapes[1], element, tokens: 1, position: 199, peak: peak)
      check(Self.shapes[1], element, tokens: 10, position: 190, peak: peak)
    }
  }

  private func check(
    _ shape: Shape, _ element: CacheLayout.Element, tokens: Int, position: Int, peak: Int? = nil
  ) {
    let seed = UInt64(tokens * 1000 + position)
    let case_ = AttentionCase(shape, element, tokens: tokens, position: position, peak: peak, seed: seed)
    let expected = case_.expected()
    for kernels in ForwardKernels.available {
      for threads in [1, 3] {
        let result = case_.run(kernels: kernels, threads: threads)
        let worst = zip(result, expected).map { abs(Double($0) - $1) }.reduce(0) { $1.isNaN ? .infinity : max($0, $1) }
        #expect(
          worst < (peak == nil ? 2e-5 : 1e-4),
          "\(kernels) \(element), \(threads) threads, \(tokens) tokens at \(position), seed \(seed)")
      }
    }
  }
}

/// Random keys and values in a cache, and queries of the last tokens.
struct AttentionCase {
  let shape: OpsAttentionTests.Shape
  let layout: CacheLayout
  let tokens, position: Int
  /// Positions x key-value heads x length, as the cache has them after rounding.
  private(set) var keys, values: [Float]
  /// Tokens x heads x key length, scaled.
  let queries: [Float]

  init(
    _ shape: OpsAttentionTests.Shape, _ element: CacheLayout.Element, tokens: Int, position: Int, peak: Int?,
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    self.shape = shape
    self.tokens = tokens
    self.position = position
    layout = CacheLayout(
      heads: shape.keyHeads, keyLength: shape.keyLength, valueLength: shape.valueLength, element: element)
    /// Rows of `length` as the cache has them.
    func rounded(_ x: [Float], _ length: Int) -> [Float] {
      switch element {
      case .f32: x
      case .f16: x.map { HalfFloat.float(HalfFloat.half($0)) }
      case .q8_0:
        stride(from: 0, to: x.count, by: length).flatMap { row in
          stride(from: 0, to: length, by: 32).flatMap { group in
            let part = x[row + group..<row + min(group + 32, length)]
            let scale = HalfFloat.float(HalfFloat.half((part.map(abs).max() ?? 0) / 127))
            return part.map { scale * max(-127, min(127, ($0 / scale).rounded(.toNearestOrEven))) }
          }
        }
      }
    }
    let count = tokens + position
    var keys = generator.gaussians(count * shape.keyHeads * shape.keyLength)
    queries = generator.gaussians(tokens * shape.heads * shape.keyLength, deviation: 0.5)
    if let peak {
      // Along the first query: its score is far above all others.
      for d in 0..<shape.keyLength { keys[peak * shape.keyHeads * shape.keyLength + d] = queries[d] * 4 }
    }
    self.keys = rounded(keys, shape.keyLength)
    values = rounded(generator.gaussians(count * shape.keyHeads * shape.valueLength), shape.valueLength)
  }

  /// The same with `number` in a key and a value of each position from `first` on.
  func poisoned(by number: Float, from first: Int) -> AttentionCase {
    var copy = self
    for p in first..<tokens + position {
      copy.keys[p * shape.keyHeads * shape.keyLength + p % shape.keyLength] = number
      copy.values[p * shape.keyHeads * shape.valueLength + p % shape.valueLength] = number
    }
    return copy
  }

  /// The definition, on unsafe buffers because debug builds run it too.
  func expected() -> [Double] {
    keys.withUnsafeBufferPointer { keys in
      values.withUnsafeBufferPointer { values in
        queries.withUnsafeBufferPointer { queries in
          var out: [Double] = []
          for token in 0..<tokens {
            for head in 0..<shape.heads { out += expected(token, head, queries, keys, values) }
          }
          return out
        }
      }
    }
  }

  private func expected(
    _ token: Int, _ head: Int, _ queries: UnsafeBufferPointer<Float>, _ keys: UnsafeBufferPointer<Float>,
    _ values: UnsafeBufferPointer<Float>
  ) -> [Double] {
    let shared = head / (shape.heads / shape.keyHeads)
    let query = (token * shape.heads + head) * shape.keyLength
    var shares = [Double](repeating: 0, count: position + token + 1)
    for s in shares.indices {
      let key = (s * shape.keyHeads + shared) * shape.keyLength
      var d = 0
      var score = 0.0
      while d < shape.keyLength {
        score += Double(queries[query + d]) * Double(keys[key + d])
        d += 1
      }
      shares[s] = score
    }
    let greatest = shares.max() ?? 0
    shares = shares.map { exp($0 - greatest) }
    let total = shares.reduce(0, +)
    var out = [Double](repeating: 0, count: shape.valueLength)
    for s in shares.indices {
      let value = (s * shape.keyHeads + shared) * shape.valueLength
      var d = 0
      while d < shape.valueLength {
        out[d] += shares[s] / total * Double(values[value + d])
        d += 1
      }
    }
    return out
  }

  /// Runs the tokens in calls of `pieces` tokens, all of them at once unless said otherwise.
  func run(kernels: ForwardKernels, threads: Int, pieces: [Int]? = nil) -> [Float] {
    let count = tokens + position
    let blockCount = (count + CacheLayout.blockLength - 1) / CacheLayout.blockLength
    // A second layer's worth before this one, and stale numbers where nothing is stored.
    let blocks = (0..<blockCount).map { _ in
      let block = UnsafeMutableRawPointer.allocate(byteCount: 2 * layout.layerByteCount, alignment: 64)
      block.initializeMemory(as: UInt8.self, repeating: 0x3C, count: 2 * layout.layerByteCount)
      return block
    }
    defer { blocks.forEach { $0.deallocate() } }
    var out = [Float](repeating: .nan, count: tokens * shape.heads * shape.valueLength)
    let attention = Attention(
      heads: shape.heads, layout: layout, pool: WorkerPool(threads: threads, atMost: threads), kernels: kernels)
    blocks.withUnsafeBufferPointer { blocks in
      guard let base = blocks.baseAddress else { return }
      let cache = CacheLayer(layout: layout, blocks: base, offset: layout.layerByteCount)
      for p in 0..<count {
        Array(keys[p * shape.keyHeads * shape.keyLength..<(p + 1) * shape.keyHeads * shape.keyLength])
          .withUnsafeBufferPointer { key in
            Array(values[p * shape.keyHeads * shape.valueLength..<(p + 1) * shape.keyHeads * shape.valueLength])
              .withUnsafeBufferPointer { value in
                guard let key = key.baseAddress, let value = value.baseAddress else { return }
                cache.store(keys: key, values: value, at: p, kernels: kernels)
              }
          }
      }
      queries.withUnsafeBufferPointer { queries in
        out.withUnsafeMutableBufferPointer { out in
          guard let queries = queries.baseAddress, let out = out.baseAddress else { return }
          var first = 0
          for piece in pieces ?? [tokens] {
            attention.run(
              queries: queries + first * shape.heads * shape.keyLength, tokens: piece, position: position + first,
              cache: cache, output: out + first * shape.heads * shape.valueLength)
            first += piece
          }
        }
      }
    }
    return out
  }
}
