/// How many drafted tokens are worth checking, learnt from those checked before.
///
/// A pass over several tokens costs more than one over a single token; what it costs beyond that is the stake, and every
/// drafted token that is chosen is a gain of one pass. The length with the greatest expected gain is taken as long as the
/// losses so far stay within a small share of all tokens. A text begins with single tokens as probes; where nothing
/// repeats, drafts end after two of them.
///
/// The costs are constants and not measured times, so that the same text is always cut into the same passes.
struct DraftPolicy {
  /// What a draft costs, in passes over one token: measured on two threads with 1, 2, 3, 5 and 7 drafted tokens: SmolLM2
  /// 0.31, 0.28, 0.48, 0.96, 1.09; Qwen2.5-Coder-1.5B 0.21, 0.75, 0.76, 1.49, 1.23.
  static func cost(_ length: Int) -> Double {
    switch length {
    case 0: 0
    case 1: 0.3
    default: 0.5 + 0.1 * Double(length)
    }
  }
  /// The share of passes that may be lost, and those that may be lost before anything is gained.
  static let lossShare = 0.004
  static let firstLoss = 0.6

  /// The most tokens of a draft; 0 for none at all.
  let limit: Int
  /// How likely a drafted token is the one that is chosen, by the class of how many tokens before it were the same. In a
  /// story what followed two words is what follows them again one time in five.
  private var likelihoods = [0.25, 0.6, 0.85]
  /// Passes won so far, less those lost.
  private var balance = 0.0
  /// Tokens generated.
  private var steps = 0

  init(limit: Int) {
    self.limit = limit
  }

  private static func matchClass(_ matched: Int) -> Int { matched < 4 ? 0 : matched < 8 ? 1 : 2 }

  /// Notes that a token was generated.
  mutating func step() { steps += 1 }

  /// How many tokens to draft where `matched` tokens were the same before.
  func length(matched: Int) -> Int {
    guard limit > 0 else { return 0 }
    let credit = balance + DraftPolicy.firstLoss + DraftPolicy.lossShare * Double(steps)
    let likely = likelihoods[DraftPolicy.matchClass(matched)]
    var best = (length: 0, gain: 0.0)
    var gain = 0.0
    var chance = 1.0
    for length in 1...limit {
      let cost = DraftPolicy.cost(length)
      if cost > credit { break }
      chance *= likely
      gain += chance
      if gain - cost > best.gain { best = (length, gain - cost) }
    }
    return best.length
  }

  /// Learns from a draft of `drafted` tokens, behind `matched` equal ones, of which `taken` were chosen.
  mutating func learn(matched: Int, drafted: Int, taken: Int) {
    balance = min(balance + Double(taken) - DraftPolicy.cost(drafted), DraftPolicy.mostCredit)
    // Those taken were right, the next was wrong, and of those behind it nothing is known.
    let index = DraftPolicy.matchClass(matched)
    for _ in 0..<taken { likelihoods[index] += (1 - likelihoods[index]) * DraftPolicy.rate }
    if taken < drafted { likelihoods[index] -= likelihoods[index] * DraftPolicy.rate }
  }

  private static let rate = 0.15
  /// What was won long ago doesn't pay for losses now.
  private static let mostCredit = 3.0
}

/// Drafts of the turn under way: where they come from, how long they are, and what became of them.
struct DraftSource {
  private var lookup = PromptLookup()
  private var policy: DraftPolicy
  /// How many tokens were the same before the draft that was proposed last.
  private var matched = 0
  /// The draft under way: how many tokens it had and how many of them were chosen so far.
  private var open: (matched: Int, drafted: Int, taken: Int)?

  /// - Parameter limit: the most tokens of a draft; 0 for no drafts.
  init(limit: Int) {
    policy = DraftPolicy(limit: limit)
  }

  /// The tokens that may come next after `tokens`; often none.
  mutating func propose(after tokens: [Int], limit: Int) -> [Int] {
    close()
    guard policy.limit > 0, limit > 0 else { return [] }
    let policy = policy
    guard let match = lookup.match(in: tokens, limit: { min(policy.length(matched: $0), limit) }) else { return [] }
    matched = match.length
    return match.continuation
  }

  /// Notes that a draft of so many tokens is checked.
  mutating func begin(_ count: Int) {
    if count > 0 { open = (matched, count, 0) }
  }

  /// Notes that a token was chosen, a drafted one or another.
  mutating func step(wasDrafted: Bool) {
    policy.step()
    if wasDrafted { open?.taken += 1 }
  }

  /// Learns from the draft under way.
  private mutating func close() {
    guard let draft = open else { return }
    policy.learn(matched: draft.matched, drafted: draft.drafted, taken: draft.taken)
    open = nil
  }
}
