package import Tensor

/// What sets a model family apart within the decoder block that all of them share: RMS norm, rotary grouped-query
/// attention, a gated feed-forward layer, residual connections.
///
/// A new family is a file in `Models/` and a line in ``ModelFamilies/all``.
package protocol ModelFamily: Sendable {
  /// The value of `general.architecture`, which is also the prefix of its metadata keys.
  static var name: String { get }
  /// Which elements of a head rotary embedding turns together.
  static var ropePairing: RopePairing { get }
  /// Whether query, key and value projections can't do without their biases. Where a file of another family has some,
  /// they are used.
  static var requiresAttentionBias: Bool { get }
}

package enum ModelFamilies {
  package static let all: [any ModelFamily.Type] = [Llama.self, Qwen2.self]

  /// The family called `name`.
  static func named(_ name: String) throws(ModelError) -> any ModelFamily.Type {
    guard let family = all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw .unsupportedArchitecture(name, supported: all.map(\.name))
    }
    return family
  }
}
