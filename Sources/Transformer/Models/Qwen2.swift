import Tensor

extension ModelFamily {
  /// Qwen2 and Qwen2.5, including the coder models.
  ///
  /// Query, key and value projections have large biases: a file without them would run and talk nonsense. Rotary pairs
  /// are half a head apart. The output matrix is padded beyond the last token that has a text.
  package static let qwen2 = ModelFamily(name: "qwen2", ropePairing: .split, requiresAttentionBias: true)
}
