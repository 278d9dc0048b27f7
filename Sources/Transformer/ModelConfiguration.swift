package import Tensor

/// The numbers that shape a model's forward pass, read from a file's metadata and checked.
///
/// Keys are those of the GGUF specification, `<architecture>.…`. Every product of two of these numbers that the forward
/// pass forms fits in an `Int`: each is at most ``limit``.
package struct ModelConfiguration: Sendable, Equatable {
  /// Upper bound of every count, far above real models and far below overflow.
  static let limit = 1 << 24

  /// `general.architecture`.
  package let architecture: String
  /// Positions that the model was made for.
  package let contextLength: Int
  package let embeddingLength: Int
  package let blockCount: Int
  package let feedForwardLength: Int
  /// Query heads.
  package let headCount: Int
  /// Key-value heads; each serves ``groupSize`` query heads.
  package let keyValueHeadCount: Int
  /// Elements of a query or key of one head.
  package let keyLength: Int
  /// Elements of a value of one head.
  package let valueLength: Int
  /// What RMS normalisation adds to the mean square.
  package let normEpsilon: Double
  package let ropeBase: Double
  /// What all positions are divided by (linear scaling); 1 for none.
  package let ropeScale: Double
  package let ropePairing: RopePairing
  /// Rows of the output head: logits of one position. May exceed the number of tokens that have a text.
  package internal(set) var vocabularySize = 0

  /// Query heads that share one key-value head.
  package var groupSize: Int { headCount / keyValueHeadCount }
  /// Elements of all heads' queries.
  package var queryWidth: Int { headCount * keyLength }
  /// Elements of all heads' keys.
  package var keyWidth: Int { keyValueHeadCount * keyLength }
  /// Elements of all heads' values.
  package var valueWidth: Int { keyValueHeadCount * valueLength }
  /// Elements of attention's result before the output projection.
  package var attentionWidth: Int { headCount * valueLength }

  /// Radians per position of each pair of a head, before a file's own factors.
  ///
  /// Source: Su et al., "RoFormer" (2021).
  package var ropeFrequencies: [Double] {
    (0..<keyLength / 2).map { 1 / (power(ropeBase, Double(2 * $0) / Double(keyLength)) * ropeScale) }
  }
}
