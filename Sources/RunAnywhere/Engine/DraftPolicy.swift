/// How many drafted tokens are worth checking, learnt from those checked before.
///
/// A pass over several tokens costs more than one over a single token; what it costs beyond that is the stake, and every
/// drafted token that is chosen is a gain of one pass. The length with the greatest expected gain is taken as long as the
/// losses so far stay within a small share of all tokens: where nothing repeats, drafts end.
///
/// The costs are constants and not measured times, so that the same text is always cut into the same passes.
struct DraftPolicy {
  /// What each token of a pass beyond the first costs, in passes over one token.
  static let costOfToken = 0.22
  /// The share of passes that may be lost, and those that may be lost before anything is gained.
  static let lossShare = 0.02
  static let firstLoss = 1.0

  /// The most tokens of a draft; 0 for none at all.
  let limit: Int
  /// How likely a drafted token is the one that is chosen.
  private var likelihood = DraftPolicy.prior
  /// Passes won so far, less those lost.
  private var balance = 0.0
  /// Tokens generated.
  private var steps = 0
  private static let prior = 0.6

  init(limit: Int) {
    self.limit = limit
  }

  /// Notes that a token was generated.
  mutating func step() { steps += 1 }

  /// How many tokens to draft where `matched` tokens were the same before.
  func length(matched: Int) -> Int {
    guard limit > 0 else { return 0 }
    let credit = balance + DraftPolicy.firstLoss + DraftPolicy.lossShare * Double(steps)
    // A longer match is likelier to go on: one of two tokens says little, one of sixteen nearly all.
    let likely = 1 - (1 - likelihood) * 3 / Double(matched + 1)
    var best = (length: 0, gain: 0.0)
    var gain = 0.0
    var chance = 1.0
    for length in 1...limit {
      let cost = DraftPolicy.costOfToken * Double(length)
      if cost > credit { break }
      chance *= max(0, likely)
      gain += chance
      if gain - cost > best.gain { best = (length, gain - cost) }
    }
    return best.length
  }

  /// Learns from a draft of `drafted` tokens of which `taken` were chosen.
  mutating func learn(drafted: Int, taken: Int) {
    balance = min(balance + Double(taken) - DraftPolicy.costOfToken * Double(drafted), DraftPolicy.mostCredit)
    // Those taken were right, the next was wrong, and of those behind it nothing is known.
    for _ in 0..<taken { likelihood += (1 - likelihood) * DraftPolicy.rate }
    if taken < drafted { likelihood -= likelihood * DraftPolicy.rate }
  }

  private static let rate = 0.1
  /// What was won long ago doesn't pay for losses now.
  private static let mostCredit = 4.0
}

/// Drafts of the turn under way: where they come from, how long they are, and what became of them.
struct DraftSource {
  private var lookup = PromptLookup()
  private var policy: DraftPolicy
  /// The draft under way: how many tokens it had and how many of them were chosen so far.
  private var open: (drafted: Int, taken: Int)?

  /// - Parameter limit: the most tokens of a draft; 0 for no drafts.
  init(limit: Int) {
    policy = DraftPolicy(limit: limit)
  }

  /// The tokens that may come next after `tokens`; often none.
  mutating func propose(after tokens: [Int], limit: Int) -> [Int] {
    close()
    guard policy.limit > 0, limit > 0 else { return [] }
    let policy = policy
    return lookup.match(in: tokens) { min(policy.length(matched: $0), limit) }?.continuation ?? []
  }

  /// Notes that a draft of so many tokens is checked.
  mutating func begin(_ count: Int) {
    if count > 0 { open = (count, 0) }
  }

  /// Notes that a token was chosen, a drafted one or another.
  mutating func step(wasDrafted: Bool) {
    policy.step()
    if wasDrafted { open?.taken += 1 }
  }

  /// Learns from the draft under way.
  private mutating func close() {
    guard let draft = open else { return }
    policy.learn(drafted: draft.drafted, taken: draft.taken)
    open = nil
  }
}
