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

  /// Weighs the beginnings of calls behind `prompt`, and holds the turn to calls if they have the share.
  ///
  /// The cache then holds the prompt.
  mutating func weigh(_ opening: OutputConstraint.Opening, calls: ConstraintState, prompt: [Int]) throws -> Weighing {
    let texts = Set(opening.spellings.flatMap { beginnings($0) })
    started = .now
    alreadyCached = try slot.reuse(prompt)
    let scorer = ChoiceScorer(slot: slot, codec: codec, cancellation: cancellation)
    let share = try scorer.share(of: Array(texts), behind: prompt, enough: opening.share)
    if share >= opening.share {
      constraint = calls
      return .calls
    }
    return share >= opening.doubt ? .doubtfulAnswer : .answer
  }

  /// The ids of a call's beginning up to the first one that tells a name from another; equal ones are one.
  private func beginnings(_ spelling: OutputConstraint.Opening.Spelling) -> [[Int]] {
    let codec = codec
    func ids(_ text: String) -> [Int] { codec.encode(text, special: true) }
    var common = Array((spelling.names.first ?? "").unicodeScalars)
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
