import Grammar
import Tokenizer

/// What reading texts under a grammar cost, and how many of their tokens needed no model.
struct MasksTally {
  /// Milliseconds of each compilation.
  var compile: [Double] = []
  /// Microseconds of each mask.
  var masks: [Double] = []
  var tokens = 0
  /// Tokens whose bytes were all certain before they were written: no rule can force more.
  var certain = 0
  var forced = 0
  /// Right and wrong guesses at the token behind the forced ones.
  var guessed = 0
  var misguessed = 0
  var nonCanonical = 0

  func share(_ part: Int) -> Double { Double(part) / Double(max(1, tokens)) }
}

/// One text's canonical tokens, compared with what the grammar forces on the way.
struct MasksReading {
  private let ids: [Int]
  private let vocabulary: SchemasVocabulary
  /// Forced tokens that are still to come.
  private var waiting = 0
  private var guess: Int?

  init(_ ids: [Int], _ vocabulary: SchemasVocabulary) {
    self.ids = ids
    self.vocabulary = vocabulary
  }

  /// Counts the token at `place`, which `matcher` is about to read.
  mutating func count(_ place: Int, _ matcher: Matcher, in tally: inout MasksTally) {
    let id = ids[place]
    let length = vocabulary.vocabulary.bytes(of: id).count
    tally.tokens += 1
    if matcher.forcedBytes(limit: length).count >= length { tally.certain += 1 }
    if waiting == 0, guess == nil {
      let forced = matcher.forced(after: Array(ids[..<place].suffix(64))) { vocabulary.tokenizer.encode(bytes: $0) }
      if ids[place...].starts(with: forced.tokens) {
        waiting = forced.tokens.count
        guess = forced.guess
      } else if bytes(ids[place...]).starts(with: bytes(forced.tokens[...])) {
        // Another text means that this one is about to be refused; the same text in other tokens is a fault.
        tally.nonCanonical += 1
      }
    }
    if waiting > 0 {
      waiting -= 1
      tally.forced += 1
    } else if let guess {
      if guess == id { tally.guessed += 1 } else { tally.misguessed += 1 }
      self.guess = nil
    }
  }

  private func bytes(_ ids: ArraySlice<Int>) -> [UInt8] { ids.flatMap { vocabulary.vocabulary.bytes(of: $0) } }
}
