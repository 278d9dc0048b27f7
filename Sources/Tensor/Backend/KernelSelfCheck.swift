/// Every kernel of a level against the readable definition of its format, on one small random matrix each.
///
/// A compiler that miscompiles a kernel, or a processor that says more of itself than is true, shows here instead of in
/// wrong answers: ``KernelLevel/best`` is the best level whose kernels all pass.
///
/// ```swift
/// for finding in KernelSelfCheck.run(.avx2) where !finding.isSound { print(finding.kernel, finding.error) }
/// ```
package enum KernelSelfCheck {
  package struct Finding: Sendable {
    /// The route of the product and the format, such as `batch Q4_0`.
    package let kernel: String
    /// The largest error of a product, relative to the sum of its terms' sizes; NaN when a product was.
    package let error: Float
    package var isSound: Bool { error <= KernelSelfCheck.tolerance }
  }

  /// Float sums of 512 terms are off by less than 4e-6 of the terms' sizes; a wrong element by 1e-3 or more.
  static let tolerance: Float = 1e-5

  /// Checks all kernels of `level`, which this machine must be able to run.
  ///
  /// - Complexity: about a million multiply-adds; 1 to 2 ms in a release build.
  package static func run(_ level: KernelLevel = .best) -> [Finding] {
    let matmul = MatMul(pool: WorkerPool(threads: 1), level: level)
    // A number of tokens for each route; 26 are two batches and four groups where there is no panel or no batch.
    return ElementType.allCases.flatMap { type in [1, 5, 26].map { check(type, tokens: $0, matmul) } }
  }

  private static let (rows, columns) = (3, 512)

  private static func check(_ type: ElementType, tokens: Int, _ matmul: MatMul) -> Finding {
    let route = ProductRoute(
      type: type, tokens: tokens, precision: .quantized, kernels: matmul.level.kernels)
    var random = SplitMix(state: UInt64(type.rawValue) << 8 | UInt64(tokens))
    let name = "\(route.name) \(type.name)"
    guard let weights = matrix(type, &random) else { return Finding(kernel: name, error: .nan) }
    let input = activations(tokens: tokens, &random)
    var output = [Float](repeating: .nan, count: tokens * rows)
    output.withUnsafeMutableBufferPointer { output in
      guard let base = output.baseAddress else { return }
      matmul.matmul([weights], input: input, tokens: tokens, outputs: [base], precision: .quantized)
    }
    var worst: Float = 0
    for row in 0..<rows {
      let decoded = weights.decodedRow(row)
      for token in 0..<tokens {
        var (sum, size) = (0.0, 0.0)
        for column in 0..<columns {
          let term = Double(decoded[column]) * Double(input[token * columns + column])
          sum += term
          size += abs(term)
        }
        let error = Float(abs(Double(output[token * rows + row]) - sum) / size)
        guard error.isFinite else { return Finding(kernel: name, error: .nan) }
        worst = max(worst, error)
      }
    }
    return Finding(kernel: name, error: worst)
  }

  /// Random blocks whose binary16 numbers are ordinary ones; plain types hold random values.
  private static func matrix(_ type: ElementType, _ random: inout SplitMix) -> Tensor? {
    let bytes: [UInt8]?
    if type.isQuantized {
      var blocks = (0..<rows * columns / type.blockLength * type.blockByteCount).map { _ in
        UInt8(truncatingIfNeeded: random.next() >> 32)
      }
      blocks.withUnsafeMutableBytes { blocks in
        guard let base = blocks.baseAddress else { return }
        for block in stride(from: 0, to: blocks.count, by: type.blockByteCount) {
          for offset in type.halfOffsets {
            base.advanced(by: block).setHalf(offset, Float(random.integer(100...200)) / 512)
          }
        }
      }
      bytes = blocks
    } else {
      bytes = type.encoded((0..<rows * columns).map { _ in Float(random.integer(-127...127)) / 64 })
    }
    return bytes.flatMap {
      Tensor(name: "check", type: type, dimensions: [columns, rows], storage: Storage(copying: $0))
    }
  }

  /// Activations that rounding to 8 bits leaves as they are: integers up to 127, one of them reached in each block. Of
  /// each token one block stands out and is rounded twice: 64 times an integer, and a quarter of another.
  private static func activations(tokens: Int, _ random: inout SplitMix) -> [Float] {
    var values = (0..<tokens * columns).map { _ in Float(random.integer(-126...126)) }
    for block in 0..<tokens * columns / 32 { values[32 * block] = 127 }
    for token in 0..<tokens {
      let first = token * columns + 32 * random.integer(0...columns / 32 - 1)
      for index in first..<first + 32 {
        values[index] = 64 * values[index]
        if index == first + 1 { values[index] += 127 / 4 }
        if index > first + 1 { values[index] += Float(random.integer(-127...127)) / 4 }
      }
    }
    return values
  }
}

/// A generator of its own, so that every run checks the same numbers.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() >> 33) % range.count
  }
}

extension ProductRoute {
  /// What kind of kernel runs.
  var name: String {
    switch self {
    case .float: "float"
    case .floatDot, .dot: "dot"
    case .batch: "batch"
    case .panel: "panel"
    }
  }
}

extension ElementType {
  /// Where the binary16 numbers of a block lie.
  fileprivate var halfOffsets: [Int] {
    switch self {
    case .f32, .f16, .bf16: []
    case .q4_0, .q5_0, .q8_0: [0]
    case .q4_1, .q5_1, .q4_K, .q5_K: [0, 2]
    case .q2_K: [80, 82]
    case .q3_K: [108]
    case .q6_K: [208]
    }
  }
}
