import Sampling

/// What is known about the next token before the model has spoken.
struct StepPlan: Sendable {
  /// The tokens that may come; nil when all may.
  let mask: TokenMask?
  let choice: Choice
  /// The allowed tokens, rising, when they are so few that the output head is computed for them alone.
  let few: [Int]?

  /// - Parameter limit: the most tokens that are few.
  init(_ mask: TokenMask?, ends: Set<Int>, limit: Int) {
    self.mask = mask
    guard let mask else {
      choice = .none
      few = nil
      return
    }
    choice = Choice(mask, ends: ends)
    few = choice == .several && mask.population <= limit ? Array(mask.ids) : nil
  }

  /// Whether logits are needed to go on.
  var needsLogits: Bool { choice == .several }
}
