import TestSupport

@testable import Tensor

/// A matrix for kernel tests, in memory that can't be read past its end, and its products in double precision.
struct RandomMatrix {
  let tensor: Tensor

  /// Encoded random values.
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
    self.init(type, columns: columns, rows: rows, bytes: bytes)
  }

  /// Blocks whose bytes are all `byte`, or random without one, but whose binary16 scales are ordinary numbers.
  init(quantized type: ElementType, columns: Int, rows: Int, filledWith byte: UInt8?, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = rows * (type.byteCount(elements: columns) ?? 0)
    var bytes = (0..<count).map { _ in byte ?? UInt8.random(in: 0...255, using: &generator) }
    for block in stride(from: 0, to: count, by: type.blockByteCount) {
      for offset in Self.scaleOffsets(type) {
        // 2^-3 to 2^-1, either sign: sign, exponent 12 to 13, ten random bits.
        let sign = UInt16.random(in: 0...1, using: &generator) << 15
        let bits =
          sign | UInt16.random(in: 12...13, using: &generator) << 10 | UInt16.random(in: 0..<1024, using: &generator)
        bytes[block + offset] = UInt8(truncatingIfNeeded: bits)
        bytes[block + offset + 1] = UInt8(bits >> 8)
      }
    }
    self.init(type, columns: columns, rows: rows, bytes: bytes)
  }

  private init(_ type: ElementType, columns: Int, rows: Int, bytes: [UInt8]) {
    guard let memory = GuardedMemory(bytes),
      let tensor = Tensor(
        name: "random", type: type, dimensions: [columns, rows],
        storage: Storage(base: memory.base, count: bytes.count, owner: memory))
    else { preconditionFailure("\(type): \(columns) columns are not whole blocks") }
    self.tensor = tensor
  }

  /// Where a block's binary16 numbers lie.
  private static func scaleOffsets(_ type: ElementType) -> [Int] {
    switch type {
    case .q4_0, .q5_0, .q8_0: [0]
    case .q4_1, .q5_1, .q4_K, .q5_K: [0, 2]
    case .q6_K: [208]
    case .q3_K: [108]
    case .q2_K: [80, 82]
    case .f16: [0]
    case .f32, .bf16: preconditionFailure("\(type) has no binary16 scales")
    }
  }

  /// Values in -1...1, a few of them much larger.
  static func values(count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let value = Float.random(in: -1...1, using: &generator)
      return UInt8.random(in: 0..<250, using: &generator) == 0 ? value * 40 : value
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

/// The readable twin of the kernels' activations: what `tokens` rows of `values` are after rounding.
///
/// Blocks of 32 are rounded to bytes, scale = largest size / 127, to nearest. Blocks whose scale stands out in their row
/// get the rounded rest added.
func roundedActivations(_ values: [Float], tokens: Int) -> [Float] {
  let columns = values.count / tokens
  let blocks = columns / 32
  let rounded = stride(from: 0, to: values.count, by: 32).map { roundedBlock(Array(values[$0..<$0 + 32])) }
  let standsOut = (0..<tokens).flatMap { token -> [Bool] in
    let scales = rounded[token * blocks..<(token + 1) * blocks].map(\.scale)
    let mean = scales.reduce(Float(0)) { $0 + $1.squareRoot() } / Float(blocks)
    return scales.map { $0 > 2.5 * mean * mean }
  }
  return (0..<tokens * blocks).flatMap { index -> [Float] in
    guard standsOut[index] else { return rounded[index].values }
    let rest = (0..<32).map { values[32 * index + $0].addingProduct(-rounded[index].quants[$0], rounded[index].scale) }
    return zip(rounded[index].values, roundedBlock(rest).values).map { $0 + $1 }
  }
}

private func roundedBlock(_ values: [Float]) -> (scale: Float, quants: [Float], values: [Float]) {
  let largest = values.reduce(0) { max($0, abs($1)) }
  guard largest >= 1e-30 else { return (0, [Float](repeating: 0, count: 32), [Float](repeating: 0, count: 32)) }
  let (scale, inverse) = (largest * (1 / 127), 127 / largest)
  let quants = values.map { ($0 * inverse).rounded(.toNearestOrEven) }
  return (scale, quants, quants.map { $0 * scale })
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
