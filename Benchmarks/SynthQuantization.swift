import Tensor

/// Which element types a quantised file has, by the rules of the usual quantiser (`llama-quantize`).
enum SynthQuantization: String, CaseIterable, Sendable {
  case q4_0
  case q4_k_m
  case q8_0
  case f16

  /// The number that stands for the mixture in `general.file_type`.
  var fileType: UInt32 {
    switch self {
    case .f16: 1
    case .q4_0: 2
    case .q8_0: 7
    case .q4_k_m: 15
    }
  }

  /// The type of most weight matrices.
  private var base: ElementType {
    switch self {
    case .q4_0: .q4_0
    case .q4_k_m: .q4_K
    case .q8_0: .q8_0
    case .f16: .f16
    }
  }

  /// The type of the token embedding where it is the output head as well.
  var tiedEmbedding: ElementType {
    switch self {
    case .q4_0, .q4_k_m: .q6_K
    case .q8_0, .f16: base
    }
  }

  /// The type of a block's matrix, such as `ffn_down`.
  func type(of matrix: String, block: Int, of blocks: Int) -> ElementType {
    guard self == .q4_k_m, matrix == "attn_v" || matrix == "ffn_down" else { return base }
    // The first and the last eighth of the blocks, and every third of those between, get more bits.
    let eighth = blocks / 8
    let hasMoreBits = block < eighth || block >= 7 * blocks / 8 || (block - eighth) % 3 == 2
    return hasMoreBits ? .q6_K : base
  }
}
