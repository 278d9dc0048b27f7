import Testing
import TestSupport

@testable import Tensor

@Suite struct MatMulTests {
  @Test(arguments: ElementType.allCases, [1, 3])
  func exactProductsMatchDecodedRows(type: ElementType, tokens: Int) {
    let columns = 512
    let group = [
      RandomMatrix(type, columns: columns, rows: 37, seed: 1), RandomMatrix(.f32, columns: columns, rows: 5, seed: 2),
    ]
    let input = RandomMatrix.values(count: tokens * columns, seed: 3)
    for threads in [1, 2] {
      let matmul = MatMul(pool: WorkerPool(threads: threads))
      let products = matmul.products(group.map(\.tensor), input: input, tokens: tokens, precision: .exact)
      for (matrix, product) in zip(group, products) {
        let (expected, bound) = matrix.products(with: input, tokens: tokens)
        for index in expected.indices {
          #expect(abs(Double(product[index]) - expected[index]) <= 1e-5 * bound[index], "\(type) at \(index)")
        }
      }
    }
  }

  @Test func aSubsetOfRowsMatchesTheWhole() {
    let columns = 256
    let matrix = RandomMatrix(.q4_K, columns: columns, rows: 50, seed: 4)
    let input = RandomMatrix.values(count: 2 * columns, seed: 5)
    let matmul = MatMul(pool: WorkerPool(threads: 2))
    let whole = matmul.products([matrix.tensor], input: input, tokens: 2, precision: .exact)[0]
    let ids = [49, 0, 7, 7, 13]
    let output = UnsafeMutablePointer<Float>.allocate(capacity: 10)
    defer { output.deallocate() }
    matmul.matmul(rows: ids, of: matrix.tensor, input: input, tokens: 2, output: output, precision: .exact)
    for token in 0..<2 {
      for (index, id) in ids.enumerated() {
        #expect(abs(output[token * 5 + index] - whole[token * 50 + id]) < 1e-3)
      }
    }
  }
}

/// A matrix of random block bytes whose scales are reasonable numbers.
struct RandomMatrix {
  let tensor: Tensor

  init(_ type: ElementType, columns: Int, rows: Int, seed: UInt64) {
    let values = Self.values(count: rows * columns, seed: seed)
    let rowBytes = type.byteCount(elements: columns) ?? 0
    var bytes = [UInt8](repeating: 0, count: rows * rowBytes)
    bytes.withUnsafeMutableBytes { bytes in
      values.withUnsafeBufferPointer { values in
        guard let base = bytes.baseAddress, let source = values.baseAddress else { return }
        for row in 0..<rows { type.encode(source + row * columns, count: columns, into: base + row * rowBytes) }
      }
    }
    guard
      let tensor = Tensor(
        name: "random", type: type, dimensions: [columns, rows], storage: Storage(copying: bytes))
    else { preconditionFailure("\(type): \(columns) columns are not whole blocks") }
    self.tensor = tensor
  }

  /// Values in -1...1, a few of them larger.
  static func values(count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let value = Float.random(in: -1...1, using: &generator)
      return UInt8.random(in: 0..<40, using: &generator) == 0 ? value * 6 : value
    }
  }

  /// The products in double precision, and for each the sum of its terms' sizes.
  func products(with input: [Float], tokens: Int) -> (values: [Double], bounds: [Double]) {
    let columns = tensor.columns
    var values: [Double] = []
    var bounds: [Double] = []
    let decoded = (0..<tensor.rows).map(tensor.decodedRow)
    for token in 0..<tokens {
      for row in decoded {
        var (sum, size) = (0.0, 0.0)
        for column in 0..<columns {
          let term = Double(row[column]) * Double(input[token * columns + column])
          sum += term
          size += abs(term)
        }
        values.append(sum)
        bounds.append(size)
      }
    }
    return (values, bounds)
  }
}

extension MatMul {
  /// The products as arrays.
  func products(_ weights: [Tensor], input: [Float], tokens: Int, precision: Precision) -> [[Float]] {
    let outputs = weights.map { UnsafeMutablePointer<Float>.allocate(capacity: tokens * $0.rows) }
    defer { outputs.forEach { $0.deallocate() } }
    for (output, weight) in zip(outputs, weights) { output.initialize(repeating: .nan, count: tokens * weight.rows) }
    matmul(weights, input: input, tokens: tokens, outputs: outputs, precision: precision)
    return zip(outputs, weights).map { Array(UnsafeBufferPointer(start: $0, count: tokens * $1.rows)) }
  }
}
