/// Finds what followed where a text said the same before: drafts for free when an answer copies from its prompt.
///
/// The last tokens are looked up among all earlier ones; of the places found, the one that agrees longest backwards wins,
/// and of equal ones the latest (prompt lookup decoding, Saxena 2023).
///
/// The text is the caller's and only grows.
struct PromptLookup {
  /// A continuation that stood behind the same tokens before.
  struct Match: Equatable {
    /// How many tokens before it are the same, up to ``PromptLookup/longest``.
    let length: Int
    let continuation: [Int]
  }

  /// Fewest tokens that have to be the same.
  static let shortest = 2
  /// Beyond so many equal tokens places are not told apart.
  static let longest = 16
  /// Places that are compared, the latest first.
  private static let candidates = 12

  /// The latest place behind each pair of tokens: how many tokens stand before it.
  private var latest: [Pair: Int] = [:]
  /// For each number of tokens the place before behind the same pair, 0 when there is none. What it covers is known.
  private var earlier: [Int] = [0]

  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  /// The likeliest continuation of `tokens`; nil when their last ones are new.
  ///
  /// - Parameter limit: gives the most tokens of the continuation, from the number of equal ones before it.
  /// - Complexity: linear in the tokens that are new since the last call.
  mutating func match(in tokens: [Int], limit: (_ length: Int) -> Int) -> Match? {
    learn(tokens)
    guard tokens.count > PromptLookup.shortest else { return nil }
    var place = earlier[tokens.count]
    var best = (length: 0, place: 0)
    var tries = 0
    while place > 0, tries < PromptLookup.candidates, best.length < PromptLookup.longest {
      let length = agreement(tokens, before: place)
      if length > best.length { best = (length, place) }
      place = earlier[place]
      tries += 1
    }
    guard best.length >= PromptLookup.shortest else { return nil }
    let count = limit(best.length)
    guard count > 0 else { return nil }
    // A text that repeats itself goes on repeating.
    let period = tokens.count - best.place
    return Match(length: best.length, continuation: (0..<count).map { tokens[best.place + $0 % period] })
  }

  private mutating func learn(_ tokens: [Int]) {
    while earlier.count <= tokens.count {
      let place = earlier.count
      earlier.append(0)
      guard place >= 2 else { continue }
      let pair = Pair(first: tokens[place - 2], second: tokens[place - 1])
      if let before = latest.updateValue(place, forKey: pair) { earlier[place] = before }
    }
  }

  private func agreement(_ tokens: [Int], before place: Int) -> Int {
    var length = 0
    while length < min(PromptLookup.longest, place),
      tokens[place - 1 - length] == tokens[tokens.count - 1 - length]
    {
      length += 1
    }
    return length
  }
}
