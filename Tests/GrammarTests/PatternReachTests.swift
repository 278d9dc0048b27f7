import TestSupport
import Testing

@testable import Grammar

@Suite("What is plain about a pattern")
struct PatternReachTests {
  /// A pattern of every kind of part, marks in its middle included.
  private func pattern(_ depth: Int, _ random: inout SeededGenerator) -> String {
    let leaves = ["a", "b", "[ab]", "^", "$", ".", "\\ud83c", ""]
    if depth == 0 { return leaves.randomElement(using: &random) ?? "a" }
    let one = pattern(depth - 1, &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return one + pattern(depth - 1, &random)
    case 1: return "(\(one)|\(pattern(depth - 1, &random)))"
    case 2: return "(\(one))*"
    case 3: return "(\(one)){\(Int.random(in: 0...3, using: &random)),3}"
    case 4: return "(\(one))?"
    default: return "(?=\(one))\(pattern(depth - 1, &random))"
    }
  }

  @Test("it is what a search through the states finds, for every state", arguments: [1, 2, 3])
  func equalsSearch(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var outcomes: [Bool?: Int] = [:]
    for _ in 0..<200 {
      let text = pattern(4, &random)
      let store = PatternStore()
      guard let tree = try? PatternParser.parse(text),
        let id = try? store.pattern(tree, isWhole: Bool.random(using: &random))
      else { continue }
      _ = store.searchEnd(id)
      for id in store.nodes.indices {
        let plain = store.reaches[id].hasEnd
        outcomes[plain, default: 0] += 1
        if let plain { #expect(plain == store.searchEnd(PatternID(id)), "\(text), state \(id), seed \(seed)") }
      }
    }
    #expect(outcomes[true, default: 0] > 500 && outcomes[false, default: 0] > 500 && outcomes[nil, default: 0] > 100)
  }

  @Test("long counts cost no search, and counts that no text in reach fills are refused")
  func longCounts() throws {
    var matcher = Matcher(try Grammar.regex("(\\p{L}{1,60000}e)*x"), vocabulary: GrammarFixture.vocabulary)
    let isAccepted = matcher.accept(bytes: Array("ab".utf8))
    #expect(isAccepted)
    let rest = matcher.shortestCompletion()
    #expect(rest == Array("ex".utf8))
    for pattern in [
      "a{70000}", "\\p{L}{99999999999999999999}||", "((a{100}){100}b{9}){7}", "a{40000}b{40000}|c", "\\p{L}{5000}",
    ] {
      #expect(throws: GrammarError.self, "\(pattern)") { try Grammar.regex(pattern) }
    }
    var long = Matcher(try Grammar.regex("[ab]{4096}|c{5000}"), vocabulary: GrammarFixture.vocabulary)
    let isBegun = long.accept(bytes: [UInt8(ascii: "c")])
    #expect(isBegun)
    let longest = long.shortestCompletion()
    #expect(longest?.count == 4_999)
  }
}
