/// How the next token is chosen among those that the model finds likely.
///
/// The parts apply in this order: mask, repetition penalty, temperature, top-k, top-p, min-p. Each takes the
/// probabilities that the one before left. A value that can't mean anything (a negative or NaN one) leaves its part out.
package struct SamplingOptions: Sendable, Equatable {
  /// Divides the logits; 0 takes the most likely token, always.
  package var temperature = 0.0
  /// Only so many of the most likely tokens; 0 means all.
  package var topK = 0
  /// The fewest most likely tokens whose probabilities reach this sum; 1 means all.
  package var topP = 1.0
  /// Only tokens at least this fraction as likely as the most likely one; 0 means all.
  package var minP = 0.0
  /// Makes tokens of the window less likely: a positive logit is divided by it, a negative one multiplied. 1 changes nothing.
  package var repetitionPenalty = 1.0
  /// How many of the last tokens the penalty looks at.
  package var repetitionWindow = 64
  /// Where the random numbers begin: the same seed and the same logits give the same tokens.
  package var seed: UInt64 = 0

  package init() {}
}
