/// How the elements of a tensor are stored: a plain number each, or a block of quantised ones.
///
/// The raw values are the type numbers of the GGUF format. Blocks lie along a row, so a row's element count must be a
/// multiple of ``blockLength``.
///
/// Source: the GGUF specification and the block layouts of ggml (`ggml-common.h`).
package enum ElementType: UInt32, CaseIterable, Sendable {
  case f32 = 0
  case f16 = 1
  case q4_0 = 2
  case q4_1 = 3
  case q5_0 = 6
  case q5_1 = 7
  case q8_0 = 8
  case q2_K = 10
  case q3_K = 11
  case q4_K = 12
  case q5_K = 13
  case q6_K = 14
  case bf16 = 30

  /// Elements in one block.
  package var blockLength: Int {
    switch self {
    case .f32, .f16, .bf16: 1
    case .q4_0, .q4_1, .q5_0, .q5_1, .q8_0: 32
    case .q2_K, .q3_K, .q4_K, .q5_K, .q6_K: 256
    }
  }

  /// Bytes of one block.
  package var blockByteCount: Int {
    switch self {
    case .f32: 4
    case .f16, .bf16: 2
    case .q4_0: 18
    case .q4_1: 20
    case .q5_0: 22
    case .q5_1: 24
    case .q8_0: 34
    case .q2_K: 84
    case .q3_K: 110
    case .q4_K: 144
    case .q5_K: 176
    case .q6_K: 210
    }
  }

  /// The field's name of the type, such as `Q4_K`.
  package var name: String {
    switch self {
    case .f32: "F32"
    case .f16: "F16"
    case .bf16: "BF16"
    case .q4_0: "Q4_0"
    case .q4_1: "Q4_1"
    case .q5_0: "Q5_0"
    case .q5_1: "Q5_1"
    case .q8_0: "Q8_0"
    case .q2_K: "Q2_K"
    case .q3_K: "Q3_K"
    case .q4_K: "Q4_K"
    case .q5_K: "Q5_K"
    case .q6_K: "Q6_K"
    }
  }

  /// Whether elements come in quantised blocks rather than as plain floating-point numbers.
  package var isQuantized: Bool { blockLength > 1 }

  /// Bytes that `count` elements of one row take, or `nil` when they are not whole blocks or don't fit in an `Int`.
  package func byteCount(elements count: Int) -> Int? {
    guard count >= 0, count % blockLength == 0 else { return nil }
    let (bytes, overflow) = (count / blockLength).multipliedReportingOverflow(by: blockByteCount)
    return overflow ? nil : bytes
  }
}
