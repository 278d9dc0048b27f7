/// Why no token could be chosen.
package enum SamplingError: Error, Equatable, Sendable {
  /// No token that may come has a finite logit: the model computed NaN or infinity.
  case nonFiniteLogits
  /// The mask allows none of the model's tokens.
  case noAllowedToken
}

extension SamplingError: CustomStringConvertible {
  /// What is wrong, on one line.
  package var description: String {
    switch self {
    case .nonFiniteLogits:
      "the model produced non-finite logits; its weights are damaged or its numbers overflowed"
    case .noAllowedToken: "the constraint allows none of the model's tokens"
    }
  }
}
