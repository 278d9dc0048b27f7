import GGUF
import TestSupport
import Testing

@testable import Tensor
@testable import Transformer

/// Up to ``InferenceContext/batchLimit`` tokens of a call each get the logits that they get alone, to the last bit: with
/// every element type, cache, level of kernels and number of threads.
@Suite struct BatchBitsTests {
  private static let tokenCount = 26

  private static func model(_ type: ElementType, _ architecture: TinyModel.Architecture = .qwen2) throws -> Model {
    var tiny = TinyModel.wide(architecture, type)
    (tiny.contextLength, tiny.blockCount) = (400, 2)
    // A head of its own, in another type.
    tiny.isTied = false
    tiny.types["output.weight"] = type == .q6_K ? .q8_0 : .q6_K
    return try Model(tiny.file())
  }

  /// The bits of all logits behind a prompt of `prompt` tokens, with the tokens cut into calls of `pieces`.
  private static func bits(
    _ model: Model, _ pieces: [Int], behind prompt: Int = 30, threads: Int = 1, cache: CacheLayout.Element = .f16,
    kernels: ForwardKernels = .best, level: KernelLevel = .best
  ) throws -> [[UInt32]] {
    let context = try InferenceContext(
      model: model, pool: WorkerPool(threads: threads, atMost: threads), contextLength: 300, cache: cache,
      kernels: kernels, level: level)
    try context.forward(tokens(prompt), logits: .none)
    let ids = tokens(tokenCount, seed: 11)
    var rows: [[UInt32]] = []
    var first = 0
    for piece in pieces {
      rows += try context.run(Array(ids[first..<first + piece])).map { $0.map(\.bitPattern) }
      first += piece
    }
    return rows
  }

  private static let singles = [Int](repeating: 1, count: tokenCount)

  private static func draw(_ seed: UInt64) -> [Int] {
    var generator = SeededGenerator(seed: seed)
    var pieces: [Int] = []
    var left = tokenCount
    while left > 0 {
      pieces.append(Int.random(in: 1...min(left, InferenceContext.batchLimit), using: &generator))
      left -= pieces[pieces.count - 1]
    }
    return pieces
  }

  @Test(arguments: ElementType.allCases)
  func batchesAreSingles(type: ElementType) throws {
    let model = try Self.model(type)
    for level in KernelLevel.available where level != .scalar {
      let alone = try Self.bits(model, Self.singles, level: level)
      for (seed, threads) in [(1, 1), (2, 2), (3, 4)] {
        let pieces = Self.draw(UInt64(seed))
        #expect(
          try Self.bits(model, pieces, threads: threads, level: level) == alone,
          "\(type), \(level.name), \(threads) threads, seed \(seed): \(pieces)")
      }
      #expect(try Self.bits(model, [24, 2], threads: 2, level: level) == alone, "\(type), \(level.name)")
    }
  }

  /// With the end of a cache block among the tokens.
  @Test(arguments: CacheLayout.Element.allCases)
  func inEveryCache(element: CacheLayout.Element) throws {
    for (architecture, type) in [(TinyModel.Architecture.llama, ElementType.f32), (.qwen2, .q4_K)] {
      let model = try Self.model(type, architecture)
      // The twins are slow; that they keep to the rule is tested with attention.
      for kernels in ForwardKernels.available where kernels.name != ForwardKernels.twins.name {
        let alone = try Self.bits(model, Self.singles, behind: 240, cache: element, kernels: kernels)
        for (seed, threads) in [(4, 1), (5, 2), (6, 4)] {
          let pieces = Self.draw(UInt64(seed))
          #expect(
            try Self.bits(model, pieces, behind: 240, threads: threads, cache: element, kernels: kernels) == alone,
            "\(element), \(kernels), \(threads) threads, seed \(seed): \(pieces)")
        }
      }
    }
  }

  /// The rows of the head that are asked for are those of the whole head.
  @Test func chosenRows() throws {
    for type in [ElementType.q4_0, .q4_1, .q4_K, .q8_0, .f16] {
      let model = try Self.model(type)
      let context = try context(model, precision: .quantized)
      try context.forward(tokens(30), logits: .none)
      let whole = try context.run([5], logits: .last)[0]
      context.rewind(to: 30)
      let chosen = [250, 3, 11, 12, 13, 14, 15, 16, 100]
      let some = try context.run([5], logits: .ids(chosen))[0]
      #expect(chosen.map { some[$0].bitPattern } == chosen.map { whole[$0].bitPattern }, "\(type)")
    }
  }

  /// How a prompt is cut into chunks longer than a batch changes nothing either.
  @Test func longChunks() throws {
    let model = try Self.model(.q4_K)
    let ids = tokens(120)
    func bits(_ chunk: Int) throws -> [UInt32] {
      let context = try InferenceContext(
        model: model, pool: WorkerPool(threads: 2), contextLength: 300, chunkLength: chunk)
      return try context.run(ids, logits: .last)[0].map(\.bitPattern)
    }
    let whole = try bits(120)
    for chunk in [30, 40, 60] { #expect(try bits(chunk) == whole, "chunks of \(chunk)") }
  }
}
