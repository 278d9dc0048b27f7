import TestSupport
import Testing

@testable import Tensor

/// A token's products don't depend on what is multiplied at the same time, to the last bit: any number of tokens up to
/// ``MatMul/mostBatchTokens``, any of them first, with any rows and other matrices, on any number of threads.
@Suite struct BatchEqualityTests {
  @Test(arguments: ElementType.allCases)
  func batchesAreTheirTokensOneByOne(type: ElementType) {
    let seed = UInt64.random(in: 0...UInt64.max)
    for columns in columnCounts(type) {
      let matrix = BatchMatrix(type, columns: columns, rows: 5, seed: seed)
      for level in KernelLevel.available {
        for precision in [Precision.quantized, .exact] {
          // Exact products of quantised types are float dot products of decoded rows: a few sizes are enough.
          let counts = precision == .exact && type.isQuantized ? [2, 3, 24] : Array(1...MatMul.mostBatchTokens)
          let singles = (0..<MatMul.mostBatchTokens + 3).map {
            matrix.products(first: $0, tokens: 1, threads: 1, level, precision)
          }
          for count in counts {
            let first = count % 3
            let batch = matrix.products(first: first, tokens: count, threads: 2, level, precision)
            let expected = singles[first..<first + count].joined()
            if let wrong = zip(batch, expected).first(where: { $0.bitPattern != $1.bitPattern }) {
              Issue.record(
                "\(type) \(level.name) \(precision) \(columns) columns, \(count) tokens: \(wrong), seed \(seed)")
              break
            }
          }
        }
      }
    }
  }

  @Test(arguments: ElementType.allCases)
  func rowsMatricesAndThreadsChangeNothing(type: ElementType) {
    let seed = UInt64.random(in: 0...UInt64.max)
    let columns = 1280
    let (matrix, other) = (
      BatchMatrix(type, columns: columns, rows: 71, seed: seed),
      RandomMatrix(.f16, columns: columns, rows: 3, seed: seed)
    )
    let ids = [70, 0, 7, 7, 13, 64]
    for level in KernelLevel.available {
      for tokens in [1, 2, 3, 24] {
        let input = Array(matrix.input.prefix(tokens * columns))
        let whole = matrix.products(tokens: tokens, threads: 1, level, .quantized)
        let together = MatMul(pool: WorkerPool(threads: 3, atMost: 3), level: level)
          .products([other.tensor, matrix.matrix.tensor], input: input, tokens: tokens, precision: .quantized)[1]
        #expect(together.map(\.bitPattern) == whole.map(\.bitPattern), "\(type) \(level.name) \(tokens), seed \(seed)")
        var some = [Float](repeating: .nan, count: tokens * ids.count)
        some.withUnsafeMutableBufferPointer { some in
          guard let base = some.baseAddress else { return }
          MatMul(pool: WorkerPool(threads: 2), level: level)
            .matmul(
              rows: ids, of: matrix.matrix.tensor, input: input, tokens: tokens, output: base, precision: .quantized)
        }
        let expected = (0..<tokens).flatMap { token in ids.map { whole[token * 71 + $0].bitPattern } }
        #expect(some.map(\.bitPattern) == expected, "rows of \(type) \(level.name) \(tokens), seed \(seed)")
      }
    }
  }

  /// Less and more than the part of a row after which running sums are added up, and where there may be with an odd block.
  private func columnCounts(_ type: ElementType) -> [Int] {
    switch type.blockLength {
    case 1: [37, 256]
    case 32: [96, 1120]
    default: [256, 1280]
    }
  }
}

/// A matrix with activations for the largest batch and three tokens.
private struct BatchMatrix {
  let matrix: RandomMatrix
  let input: [Float]

  init(_ type: ElementType, columns: Int, rows: Int, seed: UInt64) {
    matrix =
      type.isQuantized
      ? RandomMatrix(quantized: type, columns: columns, rows: rows, filledWith: nil, seed: seed)
      : RandomMatrix(type, columns: columns, rows: rows, seed: seed)
    input = RandomMatrix.values(count: (MatMul.mostBatchTokens + 3) * columns, seed: seed &+ 1)
  }

  func products(
    first: Int = 0, tokens: Int, threads: Int, _ level: KernelLevel, _ precision: Precision
  ) -> [Float] {
    let columns = matrix.tensor.columns
    return MatMul(pool: WorkerPool(threads: threads, atMost: threads), level: level)
      .products(
        [matrix.tensor], input: Array(input[first * columns..<(first + tokens) * columns]), tokens: tokens,
        precision: precision)[0]
  }
}
