import Grammar
import Sampling

/// Text that needs no model, and choices that are made as a whole.
extension GenerationLoop {
  /// A token that needs no model: one of a text that must come, or of the text that ends the turn.
  mutating func forcedToken() throws -> Int? {
    if ending.isEmpty { beginEnding() }
    if !ending.isEmpty { return try accepted(ending.removeFirst()) }
    if forced.isEmpty, let alternatives = constraint?.openChoice { try choose(among: alternatives) }
    if forced.isEmpty, let choice = constraint?.openValue { try choose(choice) }
    if forced.isEmpty, settings.forcesText, let constraint {
      let next = constraint.forced(after: tokens.suffix(ConstraintState.reach), codec)
      forced = next.tokens
      guess = next.guess
    }
    while !forced.isEmpty {
      let id = forced.removeFirst()
      guard accept(id) else {
        forced = []
        break
      }
      usage.forcedTokens += 1
      return id
    }
    return nil
  }

  /// Decides between another call and the end of the turn by the probability of all that another call begins with: a
  /// line end alone says little.
  ///
  /// - Returns: the first token of another call, -1 for the end, nil where there is no such choice.
  mutating func continuation() throws -> Int? {
    let codec = codec
    guard let text = constraint?.openContinuation else { return nil }
    let ids = codec.encode(String(decoding: text, as: UTF8.self), special: true)
    guard !ids.isEmpty, ids.count < remaining, constraint?.allows(ids, codec) == true else { return nil }
    let ends = codec.endOfTurn.sorted().map { [$0] }
    let scores = try scores(of: [ids] + ends, leaning: [leaning.anotherCall], margin: 0)
    // Not a matter of chance at any temperature: a call that nobody asked for may do something.
    guard scores[0] - (scores.dropFirst().max() ?? 0) > leaning.anotherCall else { return -1 }
    forced = Array(ids.dropFirst())
    return try accepted(ids[0])
  }

  /// Chooses among the tools by the probabilities of whole names; the tokens of the likeliest are then forced.
  ///
  /// At any temperature: which tool runs is no matter of chance.
  private mutating func choose(among alternatives: [[UInt8]]) throws {
    let codec = codec
    let ids = alternatives.map { codec.encode(bytes: $0) }
    guard ids.allSatisfy({ !$0.isEmpty && constraint?.allows($0, codec) == true }),
      ids.allSatisfy({ $0.count < remaining })
    else { return }
    let scores = try scores(of: ids, leaning: leaning.names, margin: 0)
    let chosen = scores.indices.max { scores[$0] - leaning.name($0) < scores[$1] - leaning.name($1) }
    forced = chosen.map { ids[$0] } ?? []
  }

  /// Chooses the value of an argument by the probabilities of whole values; its tokens are then forced.
  private mutating func choose(_ choice: ClosedChoice) throws {
    let codec = codec
    // A value that another one begins with is told from it by what follows.
    let ends = choice.boundary.first.map { [$0] } ?? choice.followers
    let texts = choice.texts.flatMap { text in ends.isEmpty ? [text] : ends.map { text + [$0] } }
    let ids = texts.map { codec.encode(bytes: $0) }
    guard ids.allSatisfy({ !$0.isEmpty && $0.count < remaining && constraint?.allows($0, codec) == true }) else {
      return
    }
    let scores = try scores(
      of: ids, leaning: [], margin: ChoiceScorer.margin(sampler.options.temperature) + ChoiceScorer.endMargin)
    var logits = choice.texts.indices.map { index in
      let own = ends.isEmpty ? [scores[index]] : Array(scores[(index * ends.count)..<((index + 1) * ends.count)])
      return Float(ChoiceScorer.sum(own))
    }
    let chosen = try sampler.sample(&logits, allowed: nil)
    let followers = choice.boundary.isEmpty ? choice.followers.map { [$0] } : [choice.boundary]
    forced = ForcedText(codec: codec, followers: followers).tokens(
      of: choice.texts[chosen], after: tokens.suffix(ConstraintState.reach))
  }

  private mutating func scores(of alternatives: [[Int]], leaning: [Double], margin: Double) throws -> [Double] {
    try cursor.run()
    let first = try cursor.logits()
    try cursor.settle()
    let before = slot.runTokens
    defer { usage.weighedTokens += slot.runTokens - before }
    return try ChoiceScorer(slot: slot, codec: codec, cancellation: cancellation).scores(
      of: alternatives, first: first, leaning: leaning, margin: margin)
  }

  /// Decides whether it is time to end the turn, when tokens are nearly used up.
  private mutating func beginEnding() {
    guard remaining <= min(GenerationLoop.endingWindow, endingCheck) else { return }
    let codec = codec
    guard let parts = constraint?.ending(codec), !parts.isEmpty else { return }
    let tokens = parts.flatMap { part in
      switch part {
      case .text(let text): codec.encode(bytes: text)
      case .token(let id): [id]
      }
    }
    let slack = constraint?.endsAnyhow == true ? GenerationLoop.endingSlack : 0
    // How long the shortest ending is changes little with a token: far from the border it isn't asked for each.
    if slack > 0 { endingCheck = remaining - max(1, abs(remaining - tokens.count - slack / 2) / 4) }
    guard tokens.count <= remaining, remaining <= tokens.count + slack, constraint?.allows(tokens, codec) == true else {
      return
    }
    forced = []
    ending = tokens
  }

  private static let endingWindow = 64
  private static let endingSlack = 8
}
