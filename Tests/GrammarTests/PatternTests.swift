import Foundation
import JSON
import TestSupport
import Testing

@testable import Grammar

@Suite struct PatternTests {
  /// Against Foundation's engine, on random texts over a small alphabet.
  @Test(arguments: [
    "^[a-c]+$", "ab+c", "^(a|b)*c?$", "^a{2,3}b{0,1}$", "[^a]", "^$|^b", "(ab|ba)+", "^(?=.*a)(?=.*b).{2,4}$", "^(?!a)",
    "a.c",
    "^(a{1,3}){2,3}b$", "^((ab?)*){2}c?$", "^(a{0,2}){0,2}$", "^((a|b){1,2})+c", "^(a{2,3}){1,2}$",
    "^[a-c]+\\s?[a-c]*$", "\\d{2}", "^[^-]*-?$", "(a|b)(c|1)$", "^(?:a(?:b|c)?)+$", "^dev|a$",
  ])
  func equalsAnotherEngine(_ pattern: String) throws {
    let store = PatternStore()
    let id = try store.pattern(try PatternParser.parse(pattern), isWhole: false)
    let other = try NSRegularExpression(pattern: pattern)
    var random = SeededGenerator(seed: 5)
    let alphabet = Array("abc1- é")
    for _ in 0..<300 {
      let text = String(
        (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
      let range = NSRange(text.startIndex..., in: text)
      // `$` of Foundation also stands before a last line end; the alphabet has none.
      #expect(store.matches(id, text) == (other.firstMatch(in: text, range: range) != nil), "\(pattern) on \(text)")
    }
  }

  @Test(arguments: ["(a)\\1", "(?<=a)b", "a\\b", "(", "[a", "a**b)", "*a", "\\p{Nonsense}"])
  func unsupportedIsRefused(_ pattern: String) {
    #expect(throws: PatternError.self) {
      let store = PatternStore()
      _ = try store.pattern(try PatternParser.parse(pattern), isWhole: false)
    }
  }

  @Test("halves of surrogate pairs match nothing, pairs their character (case 35)")
  func surrogates() throws {
    func matching(_ pattern: String, of texts: [String]) throws -> [String] {
      let store = PatternStore()
      let id = try store.pattern(try PatternParser.parse(pattern), isWhole: true)
      return texts.filter { store.matches(id, $0) }
    }
    let texts = ["\u{1F327}", "a", "\u{D7FF}", "\u{E000}", ""]
    for pattern in [
      "\\ud83c", "\\udf27", "[\\ud800-\\udfff]", "\\u{d83c}", "\\ud83c\\ud83c", "[^\\0-\\ud7ff\\ue000-\\u{10ffff}]",
    ] {
      #expect(try matching(pattern, of: texts).isEmpty, "\(pattern)")
      #expect(throws: GrammarError.self) { try Grammar.regex(pattern) }
    }
    #expect(try matching("\\ud83c\\udf27", of: texts) == ["\u{1F327}"])
    #expect(try matching("[\\ud83c\\udf27]", of: texts) == ["\u{1F327}"])
    #expect(try matching("[^\\ud800-\\udfff]", of: texts) == texts.dropLast())
    #expect(try matching("[\\ud7ff-\\ud83c]", of: texts) == ["\u{D7FF}"])
    #expect(try matching("\\ud83c|a", of: texts) == ["a"])
  }

  /// Each was a trap, or took seconds, in a debug build with its small limits.
  @Test("long patterns are read or refused, on a thread's usual stack")
  func longPatterns() throws {
    let long = 20_000
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    let distinct = (0..<3000).compactMap { Unicode.Scalar(0x4E00 + UInt32($0) * 2).map(String.init) }
    for (pattern, isRead) in [
      (repeated(".*", 175), true), (repeated("a*b*", 90), true), (repeated("a?", 300), true),
      (repeated("a?", long), false), (repeated("(a?b)?", long), false), (repeated("(a|b?)", long), false),
      ("(" + repeated("a", long / 4) + ")b", true), ("(" + repeated("ab", long / 8) + ")*", true),
      (repeated("a", long * 2), true), (repeated("a", long * 4), false),
      (repeated("x", long / 4) + "|" + repeated("x", long / 4) + "y", true), (distinct.joined(separator: "|"), true),
      ("[" + distinct.joined() + "]", true), (repeated("(", long), false), (repeated("|", long), true),
    ] {
      let result = Result { () throws -> Bool in
        var matcher = Matcher(try Grammar.regex(pattern), vocabulary: GrammarFixture.vocabulary)
        let rest = matcher.shortestCompletion() ?? [0xFF]
        return (rest.isEmpty || matcher.accept(bytes: rest)) && matcher.isComplete
      }
      switch result {
      case .success(let isComplete): #expect(isRead && isComplete, "\(pattern.prefix(20))")
      case .failure(let error):
        #expect(!isRead && error is GrammarError, "\(pattern.prefix(20)): \("\(error)".prefix(200))")
      }
    }
    // A validator has no budget: what can't be read is no restriction.
    #expect(PatternMatcher().matches(repeated("a?", long), "b"))
    let texts = [repeated("z", long) + "1", repeated("z", long) + "2", repeated("z", long)]
    let value = JSONValue.array(texts.map { .string($0) })
    let matcher = try GrammarFixture.matcher(["enum": value])
    #expect(GrammarFixture.accepts(matcher, JSONValue.string(texts[1]).compact))
  }

  @Test func complementsAndIntersections() throws {
    let store = PatternStore()
    let one = try store.pattern(try PatternParser.parse("^a"), isWhole: false)
    let two = try store.pattern(try PatternParser.parse("b$"), isWhole: false)
    let both = store.intersection([one, store.complement(two)])
    #expect(store.matches(both, "ac"))
    #expect(!store.matches(both, "ab"))
    #expect(!store.matches(both, "b"))
    #expect(!store.isAlive(store.intersection([one, store.complement(one)])))
  }

  @Test func formatsKnowTheirLanguages() {
    let patterns = PatternMatcher()
    let right = [
      ("date", ["2024-02-29", "1999-12-31"]), ("date-time", ["2024-02-29T23:59:60Z", "2001-01-01t00:00:00.5+01:30"]),
      ("email", ["a.b@example.com", "\"x y\"@[127.0.0.1]"]), ("ipv6", ["::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"]),
      ("hostname", ["a", "x-1.example.com"]), ("uuid", ["2EB8AA08-aa98-11ea-b4aa-73b441d16380"]),
      ("uri", ["https://example.com/a?b#c", "urn:isbn:1", "mailto:a@b"]), ("duration", ["P1Y2M3DT4H", "P2W", "PT1S"]),
      ("json-pointer", ["", "/a~1b/0"]), ("regex", ["^a[bc]+(d|e)?$"]), ("uri-template", ["/x{?a,b*}"]),
    ]
    let wrong = [
      ("date", ["2023-02-29", "2024-13-01", "2024-1-1", ""]),
      ("date-time", ["2024-01-01 00:00:00Z", "2024-01-01T10:00:60Z"]),
      ("email", ["a", "a@", ".a@b", "a..b@c"]), ("ipv6", ["1:2", ":::", "12345::"]),
      ("ipv4", ["256.1.1.1", "01.1.1.1", "1.1.1"]),
      ("hostname", ["-a", "a-", "a..b", "ab--c", "a_b"]), ("uuid", ["2eb8aa08aa9811eab4aa73b441d16380"]),
      ("uri", ["//x", "a b", "http://[1"]), ("duration", ["P", "PT", "P1S", "1Y"]), ("json-pointer", ["a", "/~2"]),
      ("regex", ["(", "[", "*"]), ("uri-template", ["{", "{}"]),
    ]
    for (format, texts) in right {
      for text in texts { #expect(patterns.hasFormat(format, text), "\(format): \(text)") }
    }
    for (format, texts) in wrong {
      for text in texts { #expect(!patterns.hasFormat(format, text), "\(format): \(text)") }
    }
  }
}
