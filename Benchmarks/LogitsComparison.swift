import Foundation
import Transformer

/// How far a context's logits are from golden ones.
struct LogitsComparison {
  /// A checksum of all logits behind the prompts' greedy steps: equal where they are the same to the last bit.
  private(set) var bits: UInt64 = 0xcbf2_9ce4_8422_2325
  struct Row {
    let position: Int
    let divergence: Double
    let delta: Double
    let isGreatestEqual: Bool
    let margin: Double
  }

  private(set) var rows: [Row] = []
  /// Positions whose golden margin is above 0.5, and those of them where the greatest logit is the same token's.
  private(set) var greatest = (equal: 0, total: 0)
  /// Greedy steps whose golden margin is above the threshold, and those of them with the same token.
  private(set) var greedy = (equal: 0, total: 0)

  /// NaN counts as infinitely far.
  var divergence: Double { rows.map { $0.divergence.isNaN ? .infinity : $0.divergence }.max() ?? 0 }
  var delta: Double { rows.map { $0.delta.isNaN ? .infinity : $0.delta }.max() ?? 0 }

  /// The thresholds for 8-bit activations: KL at most 0.02, and the golden's greatest wherever it leads by more than 0.5.
  var isWithinQuantized: Bool { divergence <= 0.02 && greatest.equal == greatest.total }
  /// The thresholds for the exact path: no logit off by more than 0.02, and the golden's greedy tokens.
  var isWithinExact: Bool { delta <= 0.02 && greedy.equal == greedy.total }

  /// Runs a prompt and its golden continuation. The golden's tokens are fed, so that one close call doesn't decide about
  /// all steps after it: one by one, or as drafts that are checked five at once.
  mutating func compare(
    _ prompt: LogitsGolden.Prompt, context: InferenceContext, greedyMargin: Double, drafts: Bool = false
  ) throws {
    try context.forward(prompt.tokens, logits: .all)
    for golden in prompt.positions { compare(golden, context.logits(at: golden.position)) }
    var predicted = [Self.greatestIndex(context.logits(at: prompt.tokens.count - 1))]
    let step = drafts ? 5 : 1
    for first in stride(from: 0, to: prompt.greedy.count, by: step) {
      let tokens = Array(prompt.greedy[first..<min(first + step, prompt.greedy.count)])
      // Two drafts more, which are wrong and taken back, as happens to drafts.
      let wrong = drafts ? [prompt.tokens[0], prompt.tokens[prompt.tokens.count / 2]] : []
      try context.forward(tokens + wrong, logits: .all)
      for index in tokens.indices { addBits(context.logits(at: index)) }
      predicted += tokens.indices.map { Self.greatestIndex(context.logits(at: $0)) }
      context.rewind(to: context.count - wrong.count)
    }
    for (index, margin) in prompt.greedyMargins.enumerated() where margin > greedyMargin {
      greedy.total += 1
      if predicted[index] == prompt.greedy[index] { greedy.equal += 1 }
    }
  }

  /// Takes all bits of a row into ``bits`` (FNV-1a over words).
  private mutating func addBits(_ logits: UnsafeBufferPointer<Float>) {
    for logit in logits { bits = (bits ^ UInt64(logit.bitPattern)) &* 0x100_0000_01b3 }
  }

  mutating func add(_ other: LogitsComparison) {
    rows += other.rows
    bits = (bits ^ other.bits) &* 0x100_0000_01b3
    greatest = (greatest.equal + other.greatest.equal, greatest.total + other.greatest.total)
    greedy = (greedy.equal + other.greedy.equal, greedy.total + other.greedy.total)
  }

  private mutating func compare(_ golden: LogitsGolden.Position, _ logits: UnsafeBufferPointer<Float>) {
    let known = (golden.top + golden.probes).filter { logits.indices.contains($0.id) }
    let deltas = known.map { abs(Double(logits[$0.id]) - $0.logit) }
    let isEqual = Self.greatestIndex(logits) == golden.top[0].id
    if golden.margin > 0.5 {
      greatest.total += 1
      if isEqual { greatest.equal += 1 }
    }
    rows.append(
      Row(
        position: golden.position, divergence: Self.divergence(golden, logits),
        delta: known.count < golden.top.count + golden.probes.count ? .infinity : deltas.reduce(0, Self.greater),
        isGreatestEqual: isEqual, margin: golden.margin))
  }

  /// The greater number, or NaN when one is.
  private static func greater(_ a: Double, _ b: Double) -> Double { a.isNaN || b.isNaN ? .nan : max(a, b) }

  /// Kullback-Leibler divergence of the golden's distribution over its top tokens from this one's: the greater of two
  /// ways to treat the rest of the vocabulary, leaving it out of the sum, and leaving it out of both distributions.
  private static func divergence(_ golden: LogitsGolden.Position, _ logits: UnsafeBufferPointer<Float>) -> Double {
    let logSum = logSumExp(logits.map(Double.init))
    let own = golden.top.map { logits.indices.contains($0.id) ? Double(logits[$0.id]) : -.infinity }
    let theirs = golden.top.map(\.logit)
    let (ownTop, theirTop) = (logSumExp(own), logSumExp(theirs))
    var (whole, restricted) = (0.0, 0.0)
    for (mine, other) in zip(own, theirs) {
      whole += exp(other - golden.logSumExp) * ((other - golden.logSumExp) - (mine - logSum))
      restricted += exp(other - theirTop) * ((other - theirTop) - (mine - ownTop))
    }
    return greater(whole, restricted)
  }

  /// Kullback-Leibler divergence of a whole distribution from another one's; NaN counts as infinitely far.
  static func divergence(_ first: UnsafeBufferPointer<Float>, _ second: UnsafeBufferPointer<Float>) -> Double {
    let (own, other) = (logSumExp(first.map(Double.init)), logSumExp(second.map(Double.init)))
    var sum = 0.0
    for (a, b) in zip(first, second) {
      let logarithm = Double(a) - own
      sum += exp(logarithm) * (logarithm - (Double(b) - other))
    }
    return sum.isNaN ? .infinity : sum
  }

  private static func logSumExp(_ values: [Double]) -> Double {
    let greatest = values.max() ?? 0
    return greatest + log(values.reduce(0) { $0 + exp($1 - greatest) })
  }

  private static func greatestIndex(_ logits: UnsafeBufferPointer<Float>) -> Int {
    var best = 0
    for index in logits.indices where logits[index] > logits[best] { best = index }
    return best
  }
}
