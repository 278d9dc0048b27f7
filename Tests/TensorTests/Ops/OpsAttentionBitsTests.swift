import TestSupport
import Testing

@testable import Tensor

/// What a token gets is the same to the last bit alone and in a batch, on any number of threads.
@Suite struct OpsAttentionBitsTests {
  /// A case drawn at random, and what is printed where it fails.
  private struct Draw: CustomStringConvertible {
    let seed: UInt64
    let shape: OpsAttentionTests.Shape
    let tokens, position: Int
    let pieces: [Int]
    var description: String { "seed \(seed): \(shape.testDescription), \(tokens) tokens at \(position) as \(pieces)" }

    init(seed: UInt64, tokens limit: ClosedRange<Int>, pieces lengths: ClosedRange<Int>) {
      var generator = SeededGenerator(seed: seed)
      self.seed = seed
      shape = OpsAttentionTests.shapes.randomElement(using: &generator) ?? OpsAttentionTests.shapes[0]
      tokens = Int.random(in: limit, using: &generator)
      // Around the ends of blocks most of all.
      let block = Int.random(in: 0...2, using: &generator) * CacheLayout.blockLength
      position = max(0, block + Int.random(in: -tokens...20, using: &generator))
      var pieces: [Int] = []
      while pieces.reduce(0, +) < tokens {
        pieces.append(min(Int.random(in: lengths, using: &generator), tokens - pieces.reduce(0, +)))
      }
      self.pieces = pieces
    }
  }

  private func bits(_ x: [Float]) -> [UInt32] { x.map(\.bitPattern) }

  /// The tokens of `case_` cut in each of these ways, on each of these numbers of threads.
  private func expect(
    _ expected: [UInt32], of case_: AttentionCase, kernels: ForwardKernels, threads: [Int], pieces: [[Int]],
    _ about: String
  ) {
    for threads in threads {
      for pieces in pieces {
        #expect(
          bits(case_.run(kernels: kernels, threads: threads, pieces: pieces)) == expected,
          "\(kernels), \(threads) threads, \(pieces): \(about)")
      }
    }
  }

  @Test(arguments: CacheLayout.Element.allCases)
  func batchesAreSingles(element: CacheLayout.Element) throws {
    try FuzzRun("attention-bits-\(element)", iterations: 8).run { seed in
      let draw = Draw(seed: seed, tokens: 2...Attention.batchLimit, pieces: 1...9)
      let case_ = AttentionCase(
        draw.shape, element, tokens: draw.tokens, position: draw.position, peak: nil, seed: seed)
      // The twins are slow: they get the short ones.
      for kernels in ForwardKernels.available where kernels.table != nil || draw.position < 60 {
        let singles = case_.run(kernels: kernels, threads: 1, pieces: [Int](repeating: 1, count: draw.tokens))
        expect(
          bits(singles), of: case_, kernels: kernels, threads: [1, 2, 4], pieces: [[draw.tokens], draw.pieces],
          "\(draw)")
      }
    }
  }

  /// One token and enough keys that its heads are shared out by blocks.
  @Test(arguments: CacheLayout.Element.allCases)
  func threadsChangeNothing(element: CacheLayout.Element) {
    let shape = OpsAttentionTests.Shape(heads: 6, keyHeads: 2, keyLength: 64, valueLength: 64)
    for position in [255, 256, 511, 700] {
      let case_ = AttentionCase(shape, element, tokens: 2, position: position, peak: nil, seed: UInt64(position))
      for kernels in ForwardKernels.available where kernels.table != nil || position < 300 {
        let alone = bits(case_.run(kernels: kernels, threads: 1))
        expect(
          alone, of: case_, kernels: kernels, threads: [2, 3, 4], pieces: [[2], [1, 1]], "at \(position)")
      }
    }
  }

  /// Calls of more tokens than a batch round in another order, and alike however long they are.
  @Test(arguments: CacheLayout.Element.allCases)
  func longCallsAgreeWhereverTheyBegin(element: CacheLayout.Element) {
    let shape = OpsAttentionTests.Shape(heads: 4, keyHeads: 2, keyLength: 32, valueLength: 32)
    let limit = Attention.batchLimit
    let case_ = AttentionCase(shape, element, tokens: 7 * limit, position: 200, peak: nil, seed: 5)
    for kernels in ForwardKernels.available where kernels.table != nil {
      let whole = bits(case_.run(kernels: kernels, threads: 2))
      for pieces in [[limit + 1, 6 * limit - 1], [3 * limit, limit + 7, 3 * limit - 7]] {
        #expect(bits(case_.run(kernels: kernels, threads: 2, pieces: pieces)) == whole, "\(kernels), \(pieces)")
      }
    }
  }

  /// A number that isn't one, in a key or value behind a token, never reaches the token.
  @Test(arguments: CacheLayout.Element.allCases, [Float.nan, .infinity])
  func laterPositionsStayOut(element: CacheLayout.Element, poison: Float) {
    let shape = OpsAttentionTests.Shape(heads: 6, keyHeads: 2, keyLength: 32, valueLength: 32)
    for position in [3, 250] {
      let clean = AttentionCase(shape, element, tokens: 9, position: position, peak: nil, seed: 8)
      for kernels in ForwardKernels.available {
        let expected = bits(clean.run(kernels: kernels, threads: 2))
        let result = clean.poisoned(by: poison, from: position + 5).run(kernels: kernels, threads: 2)
        let count = 5 * shape.heads * shape.valueLength
        #expect(bits(Array(result[..<count])) == Array(expected[..<count]), "\(kernels) at \(position)")
        #expect(result[count...].contains { !$0.isFinite })
      }
    }
  }
}
