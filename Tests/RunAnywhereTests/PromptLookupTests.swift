import TestSupport
import Testing

@testable import RunAnywhere

@Suite("Drafts from earlier text")
struct PromptLookupTests {
  private func match(_ tokens: [Int], _ limit: Int = 4) -> PromptLookup.Match? {
    var lookup = PromptLookup()
    return lookup.match(in: tokens) { _ in limit }
  }

  @Test("what followed the same tokens before is found; the longest agreement wins, then the latest")
  func matches() {
    #expect(match([1, 2, 3, 4, 5, 9, 1, 2]) == .init(length: 2, continuation: [3, 4, 5, 9]))
    #expect(match([1, 2, 3, 7, 1, 2, 4, 8, 1, 2])?.continuation.first == 4)
    #expect(match([5, 1, 2, 3, 7, 1, 2, 4, 5, 1, 2]) == .init(length: 3, continuation: [3, 7, 1, 2]))
    #expect(match([1, 2, 3]) == nil)
    #expect(match([1, 2]) == nil)
    #expect(match([]) == nil)
    #expect(match([1, 2, 3, 1, 2], 0) == nil)
  }

  @Test("a text that repeats itself goes on repeating")
  func repetition() {
    #expect(match([1, 2, 3, 1, 2, 3, 1, 2], 7)?.continuation == [3, 1, 2, 3, 1, 2, 3])
    #expect(match([4, 4, 4], 3)?.continuation == [4, 4, 4])
  }

  @Test("learning as the text grows finds what a search from scratch finds")
  func growing() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      var lookup = PromptLookup()
      var tokens: [Int] = []
      for _ in 0..<80 {
        tokens.append(Int(generator.next() % 5))
        let found = lookup.match(in: tokens) { _ in 3 }
        #expect(found == match(tokens, 3))
        #expect(found?.length == PromptLookupTests.longestAgreement(tokens), "\(tokens)")
      }
    }
  }

  /// By comparing everywhere; nil below the shortest, and where more places than are compared have the same end.
  private static func longestAgreement(_ tokens: [Int]) -> Int? {
    var places = 0
    var best = 0
    for place in stride(from: tokens.count - 1, to: 1, by: -1) {
      var length = 0
      while length < min(PromptLookup.longest, place), tokens[place - 1 - length] == tokens[tokens.count - 1 - length] {
        length += 1
      }
      if length >= 2 { places += 1 }
      if places <= 12 { best = max(best, length) }
    }
    return best >= 2 ? best : nil
  }

  @Test("where nothing drafted is right, under a pass and one in 200 are lost, whatever matches")
  func losses() {
    for matched in [2, 5, 16] {
      var policy = DraftPolicy(limit: 8)
      var lost = 0.0
      for step in 1...2000 {
        policy.step()
        let length = policy.length(matched: matched)
        lost += DraftPolicy.cost(length)
        if length > 0 { policy.learn(matched: matched, drafted: length, taken: 0) }
        #expect(lost <= 0.6 + 0.005 * Double(step))
      }
    }
  }

  @Test("two equal tokens are no reason yet; once drafts behind them are right they are")
  func shortMatches() {
    var policy = DraftPolicy(limit: 8)
    #expect(policy.length(matched: 2) == 0 && policy.length(matched: 4) > 0)
    for _ in 0..<8 { policy.learn(matched: 2, drafted: 1, taken: 1) }
    #expect(policy.length(matched: 2) > 2)
  }

  @Test("where all is right, drafts grow to the limit; a limit of 0 makes none")
  func gains() {
    var policy = DraftPolicy(limit: 8)
    for _ in 0..<12 {
      let length = policy.length(matched: 16)
      #expect(length > 0)
      policy.learn(matched: 16, drafted: length, taken: length)
    }
    #expect(policy.length(matched: 16) == 8)
    #expect(DraftPolicy(limit: 0).length(matched: 16) == 0)
  }
}
