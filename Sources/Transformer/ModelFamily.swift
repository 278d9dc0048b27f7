package import Tensor

/// What sets a model family apart within the decoder block that all of them share: RMS norm, rotary grouped-query
/// attention, a gated feed-forward layer, residual connections.
///
/// A new family is a file in `Models/` and a place in ``all``.
package struct ModelFamily: Sendable {
  /// The value of `general.architecture`, which is also the prefix of its metadata keys.
  package let name: String
  /// Which elements of a head rotary embedding turns together.
  package let ropePairing: RopePairing
  /// Whether query, key and value projections can't do without their biases. Where a file of another family has some,
  /// they are used.
  package let requiresAttentionBias: Bool

  package static let all: [ModelFamily] = [.llama, .qwen2]

  /// The family called `name`.
  static func named(_ name: String) throws(ModelError) -> ModelFamily {
    guard let family = all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw .unsupportedArchitecture(name, supported: all.map(\.name))
    }
    return family
  }
}
