import Foundation
import Grammar
import JSON
import Sampling
import TestSupport
import Testing

/// Regular expressions that were damaged on purpose.
@Suite("Fuzzing of patterns")
struct PatternFuzzTests {
  private static let patterns = [
    "^[a-z]{2,4}-[0-9]+$", "(ab|cd)*e?", "\\d{4}-\\d{2}-\\d{2}", "[^\\s\"\\\\]+", "(?:a(?:b(?:c)))", "^$", "a|", "x{0}",
    "[\\u00e9-\\u{1F600}]", "\\p{L}+", "(?<name>a)b", "\\w+@\\w+\\.com", ".*", "[\\]\\-^]", "a{3,}", "(a+)+b", "^a|b$",
    "\\bword\\b", "\\x41\\cA\\0", "[\\d-z]", "é*北", "(?=a)b", "(a)\\1", "\\S\\W\\D", "[a-zA-Z_][a-zA-Z0-9_]{0,30}",
  ]
  private static let words = [
    "(", ")", "[", "]", "{", "}", "|", "*", "+", "?", "^", "$", ".", "\\", "-", ",", "(?:", "(?=", "(?!", "(?<=",
    "(?<n>",
    "[^", "\\ud83c", "\\udf27", "\\ud800-\\udfff", "\\d", "\\D", "\\w", "\\s", "\\S", "\\b", "\\B", "\\1", "\\k<n>",
    "\\u{", "\\u00", "\\x", "\\p{L}", "\\P{Lu}",
    "{1,", "{0,65535}", "{1000}", "{99999999999999999999}", "a-z", "z-a", "*?", "+?", "??",
  ]

  @Test("A damaged pattern is refused, or gives texts that it matches as a whole")
  func damagedPatterns() throws {
    let mutator = TextMutator(Self.patterns, words: Self.words)
    var outcomes: [String: Int] = [:]
    try FuzzRun("pattern", iterations: 400).run { iteration in
      let pattern = mutator.mutatedText(iteration: iteration, seed: 9, maximumByteCount: 400)
      FuzzRun.show(pattern.debugDescription)
      let grammar: Grammar
      do throws(GrammarError) { grammar = try Grammar.regex(pattern) } catch {
        outcomes["refused", default: 0] += 1
        return
      }
      var generator = SeededGenerator(seed: iteration)
      var matcher = Matcher(grammar, vocabulary: GrammarFixture.vocabulary)
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        let mask = matcher.mask()
        let allowed = (0..<GrammarFixture.vocabulary.count).filter { mask.contains($0) }
        guard let token = allowed.randomElement(using: &generator) else { throw FuzzFault("\(pattern): a dead end") }
        if token == GrammarFixture.endToken { break }
        guard matcher.accept(token: token) else { throw FuzzFault("\(pattern): token \(token) of the mask is refused") }
      }
      guard let rest = matcher.shortestCompletion() else { throw FuzzFault("\(pattern): can't be completed") }
      guard rest.isEmpty || matcher.accept(bytes: rest), matcher.isComplete else {
        throw FuzzFault("\(pattern): its completion \(String(decoding: rest, as: UTF8.self)) is refused")
      }
      outcomes["complete", default: 0] += 1
    }
    #expect(Set(outcomes.keys) == ["refused", "complete"], "\(outcomes)")
    if outcomes.values.reduce(0, +) > 1000 { print("fuzzing pattern: \(outcomes)") }
  }
}
