import Tools

/// The choice between an answer and calls before the first token.
extension GenerationLoop {
  /// What the weighing of a turn's beginnings came to.
  enum Weighing: Equatable {
    case calls
    case answer
    /// An answer, but calls are not out of the question.
    case doubtfulAnswer
  }

  /// A question about the request, asked beside the conversation.
  struct Check {
    /// The ids of the prompt that asks.
    let ids: [Int]
    /// The evidence from which on the turn is calls.
    let evidence: Double
    /// The log-odds of "yes" when nothing is asked.
    let leaning: () throws -> Double
  }

  /// Weighs the beginnings of calls behind `prompt`, and the answer to a question about the request if one is asked, and
  /// holds the turn to calls if they have the share, or enough evidence together.
  mutating func weigh(
    _ opening: OutputConstraint.Opening, calls: ConstraintState, prompt: [Int], check: Check?
  ) throws -> Weighing {
    let texts = Set(opening.spellings.flatMap { GenerationLoop.beginnings($0, codec) })
    started = .now
    let cached = try slot.reuse(prompt)
    let before = slot.runTokens
    alreadyCached = cached
    defer { usage.weighedTokens += max(0, slot.runTokens - before - (prompt.count - cached)) }
    let scorer = ChoiceScorer(slot: slot, codec: codec, cancellation: cancellation)
    // Where the share is no part of a sum, it is enough to know on which side of its bounds it lies, to an eighth of the
    // greater one.
    let share = try scorer.share(
      of: Array(texts), behind: prompt,
      floor: (check == nil ? opening.share : GenerationLoop.tellingShare) / 64
    ) { least, most in
      if check != nil { return false }
      if least >= opening.share { return true }
      let isBelow = most < opening.share || most - least < opening.share / 8
      return isBelow && (least >= opening.doubt || most < opening.doubt)
    }
    var odds: Double?
    if let check, share < CallWeighing.certainShare {
      odds = try scorer.logOddsOfYes(behind: check.ids) - check.leaning()
    }
    let found = CallWeighing(share: share, check: odds)
    weighing = found
    if let check, let odds, let evidence = found.evidence {
      if evidence < check.evidence {
        // Said no: then a call isn't begun in the middle of the answer either.
        if odds < check.evidence { constraint?.dropCalls() }
        return share >= opening.doubt ? .doubtfulAnswer : .answer
      }
    } else if share < opening.share {
      return share >= opening.doubt ? .doubtfulAnswer : .answer
    }
    constraint = calls
    return .calls
  }

  /// How small a share is still told from none where a question is asked as well.
  private static let tellingShare = 0.05

  /// The ids of a call's beginning up to the first one that tells a name from another; equal ones are one.
  private static func beginnings(_ spelling: OutputConstraint.Opening.Spelling, _ codec: any TextCodec) -> [[Int]] {
    func ids(_ text: String) -> [Int] { codec.encode(text, special: true) }
    var common = Array((spelling.names.first ?? "").unicodeScalars)
    // A single name differs from none: it is told by its first id. Behind its last one a model cuts text in other ways.
    if spelling.names.count == 1 { common = Array(common.prefix { !($0.properties.isAlphabetic || $0 == "_") }) }
    for name in spelling.names { common = Array(zip(common, name.unicodeScalars).prefix { $0 == $1 }.map(\.0)) }
    var prefix = spelling.before
    prefix.unicodeScalars.append(contentsOf: common)
    let base = ids(prefix)
    return spelling.names.map { name in
      let whole = ids(spelling.before + name)
      let shared = zip(base, whole).prefix { $0 == $1 }.count
      return Array(whole.prefix(shared + 1))
    }
  }
}
