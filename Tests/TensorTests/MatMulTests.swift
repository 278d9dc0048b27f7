import Testing
import TestSupport

@testable import Tensor

@Suite struct MatMulTests {
  @Test(arguments: ElementType.allCases, [1, 3, 7])
  func exactProductsMatchDecodedRows(type: ElementType, tokens: Int) {
    let columns = 256
    let group = [
      RandomMatrix(type, columns: columns, rows: 37, seed: 1), RandomMatrix(.f32, columns: columns, rows: 5, seed: 2),
    ]
    let input = RandomMatrix.values(count: tokens * columns, seed: 3)
    for level in KernelLevel.available {
      let matmul = MatMul(pool: WorkerPool(threads: 2), level: level)
      let products = matmul.products(group.map(\.tensor), input: input, tokens: tokens, precision: .exact)
      for (matrix, product) in zip(group, products) {
        expectClose(product, matrix.products(with: input, tokens: tokens), 1e-5, "\(type) \(level.name)")
      }
    }
  }

  /// Odd numbers of rows, blocks and tokens, on every route.
  @Test(arguments: ElementType.allCases.filter(\.isQuantized), [1, 2, 5, 8, 11, 16, 25])
  func quantizedProductsMatchRoundedActivations(type: ElementType, tokens: Int) {
    for blocks in [1, 3] + (type.blockLength == 32 ? [5, 34] : []) {
      let columns = blocks * type.blockLength
      let matrix = RandomMatrix(quantized: type, columns: columns, rows: 35, filledWith: nil, seed: UInt64(blocks))
      let input = RandomMatrix.values(count: tokens * columns, seed: 7)
      expectQuantizedProducts(of: matrix, input: input, tokens: tokens)
    }
  }

  /// All bits of the quants set or clear, activations all at the ends of their range.
  @Test(arguments: ElementType.allCases.filter(\.isQuantized), [UInt8(0x00), 0xFF, 0x80, 0x7F])
  func extremesAreExact(type: ElementType, byte: UInt8) {
    let columns = 2 * 256
    let matrix = RandomMatrix(quantized: type, columns: columns, rows: 33, filledWith: byte, seed: 11)
    for tokens in [1, 9, 25] {
      for value in [Float(127), -127] {
        expectQuantizedProducts(
          of: matrix, input: [Float](repeating: value, count: tokens * columns), tokens: tokens)
      }
      let alternating = (0..<tokens * columns).map { Float($0 % 2 == 0 ? 127 : -127) }
      expectQuantizedProducts(of: matrix, input: alternating, tokens: tokens)
    }
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func nonFiniteActivationsShow(value: Float) {
    for type in ElementType.allCases {
      let matrix = RandomMatrix(type, columns: 256, rows: 3, seed: 5)
      for tokens in [1, 9] {
        var input = [Float](repeating: 0.5, count: 256 * tokens)
        input[37] = value
        for level in KernelLevel.available {
          let matmul = MatMul(pool: WorkerPool(threads: 1), level: level)
          let products = matmul.products([matrix.tensor], input: input, tokens: tokens, precision: .quantized)[0]
          #expect(products[..<3].allSatisfy { !$0.isFinite }, "\(type) \(level.name) \(tokens)")
          #expect(products[3...].allSatisfy { $0.isFinite }, "\(type) \(level.name) \(tokens)")
        }
      }
    }
  }

  @Test func zeroAndTinyActivationsGiveZero() {
    let matrix = RandomMatrix(.q4_0, columns: 64, rows: 3, seed: 5)
    for level in KernelLevel.available {
      let matmul = MatMul(pool: WorkerPool(threads: 1), level: level)
      for value in [Float(0), .leastNonzeroMagnitude * 700] {
        let input = [Float](repeating: value, count: 64)
        let products = matmul.products([matrix.tensor], input: input, tokens: 1, precision: .quantized)[0]
        #expect(products.allSatisfy { abs($0) < 1e-35 })
      }
    }
  }

  @Test func resultsDoNotDependOnThreads() {
    let matrices = [ElementType.q4_K, .q6_K, .f16].map { RandomMatrix($0, columns: 512, rows: 300, seed: 8) }
    for tokens in [1, 4, 20] {
      let input = RandomMatrix.values(count: tokens * 512, seed: 9)
      let results = [1, 2, 5].map { threads in
        MatMul(pool: WorkerPool(threads: threads, atMost: threads))
          .products(matrices.map(\.tensor), input: input, tokens: tokens, precision: .quantized)
      }
      #expect(results[1] == results[0])
      #expect(results[2] == results[0])
    }
  }

  @Test(arguments: [Precision.exact, .quantized], [1, 2, 12])
  func aSubsetOfRowsMatchesTheWhole(precision: Precision, tokens: Int) {
    let columns = 256
    let ids = [49, 0, 7, 7, 13]
    for type in [ElementType.q4_K, .q6_K, .f16, .q3_K] {
      let matrix = RandomMatrix(type, columns: columns, rows: 50, seed: 4)
      let input = RandomMatrix.values(count: tokens * columns, seed: 5)
      let matmul = MatMul(pool: WorkerPool(threads: 2))
      let whole = matmul.products([matrix.tensor], input: input, tokens: tokens, precision: precision)[0]
      var output = [Float](repeating: .nan, count: tokens * ids.count)
      output.withUnsafeMutableBufferPointer { output in
        guard let base = output.baseAddress else { return }
        matmul.matmul(rows: ids, of: matrix.tensor, input: input, tokens: tokens, output: base, precision: precision)
      }
      for token in 0..<tokens {
        for (index, id) in ids.enumerated() {
          #expect(abs(output[token * ids.count + index] - whole[token * 50 + id]) < 1e-3)
        }
      }
    }
  }
}

/// Checks every level's quantised products: against rounded activations where the level has kernels, and against the
/// activations themselves where it goes through float.
private func expectQuantizedProducts(of matrix: RandomMatrix, input: [Float], tokens: Int) {
  let rounded = matrix.products(with: roundedActivations(input, tokens: tokens), tokens: tokens)
  let plain = matrix.products(with: input, tokens: tokens)
  for level in KernelLevel.available {
    let matmul = MatMul(pool: WorkerPool(threads: 2), level: level)
    let product = matmul.products([matrix.tensor], input: input, tokens: tokens, precision: .quantized)[0]
    let hasKernel = level.kernels.dot(for: matrix.tensor.type) != nil
    expectClose(
      product, hasKernel ? rounded : plain, 4e-6,
      "\(matrix.tensor.type) \(level.name) columns \(matrix.tensor.columns) tokens \(tokens)")
  }
}

/// Expects each product within `tolerance` times the sum of its terms' sizes.
private func expectClose(
  _ product: [Float], _ expected: (values: [Double], bounds: [Double]), _ tolerance: Double, _ what: String
) {
  guard product.count == expected.values.count else {
    Issue.record("\(what): \(product.count) products instead of \(expected.values.count)")
    return
  }
  let wrong = product.indices.first {
    !(abs(Double(product[$0]) - expected.values[$0]) <= tolerance * expected.bounds[$0] + 1e-12)
  }
  if let wrong {
    Issue.record(
      "\(what): \(product[wrong]) instead of \(expected.values[wrong]) at \(wrong), bound \(expected.bounds[wrong])")
  }
}
