import Grammar
import Sampling

/// One walk.
struct RandomWalk {
  private var matcher: Matcher
  private let vocabulary: Vocabulary
  private var random: WalkGenerator
  private var bytes: [UInt8] = []
  private(set) var compared = 0
  private(set) var wrong = 0

  init(_ start: Matcher, _ vocabulary: Vocabulary, seed: UInt64) {
    matcher = start
    self.vocabulary = vocabulary
    random = WalkGenerator(seed: seed)
  }

  /// The end of the text, for messages.
  var tail: String { String(decoding: bytes.suffix(80), as: UTF8.self) }

  /// - Returns: the text, or `nil` when the walk came to a place from which nothing goes on.
  mutating func run(budget: Int, comparing states: Int) -> [UInt8]? {
    for step in 0..<budget {
      let mask = matcher.mask()
      if compared < states, Int.random(in: 0..<3, using: &random) == 0 { compare(mask) }
      if matcher.isComplete, Bool.random(using: &random) { return bytes }
      guard let token = choose(mask, step) else { return nil }
      if vocabulary.endTokens.contains(token) { return bytes }
      guard matcher.accept(token: token) else { return nil }
      bytes += vocabulary.bytes(of: token)
    }
    guard let rest = matcher.shortestCompletion(), rest.isEmpty || matcher.accept(bytes: rest), matcher.isComplete
    else { return nil }
    bytes += rest
    return bytes
  }

  /// Any token; every third time, if it can be, one that closes a string, so that walks get somewhere.
  private mutating func choose(_ mask: TokenMask, _ step: Int) -> Int? {
    var chosen: Int?
    for _ in 0..<(step % 3 == 2 ? 40 : 1) {
      chosen = mask.randomElement(using: &random)
      if let chosen, vocabulary.bytes(of: chosen).contains(0x22) { break }
    }
    return chosen
  }

  private mutating func compare(_ mask: TokenMask) {
    compared += 1
    for token in 0..<vocabulary.count {
      let isTaken = matcher.accept(token: token)
      if isTaken { matcher.rollback(1) }
      if isTaken != mask.contains(token) {
        wrong += 1
        return
      }
    }
  }
}

extension TokenMask {
  /// One of the ids, each as likely as any other; `nil` when there is none.
  func randomElement(using random: inout WalkGenerator) -> Int? {
    let count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    guard count > 0 else { return nil }
    var left = Int.random(in: 0..<count, using: &random)
    for (index, start) in words.enumerated() {
      if left >= start.nonzeroBitCount {
        left -= start.nonzeroBitCount
        continue
      }
      var word = start
      for _ in 0..<left { word &= word - 1 }
      return index * 64 + word.trailingZeroBitCount
    }
    return nil
  }
}
