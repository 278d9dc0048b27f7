import Foundation
import TestSupport
import Testing

@testable import Grammar

@Suite struct PatternTests {
  /// Against Foundation's engine, on random texts over a small alphabet.
  @Test(arguments: [
    "^[a-c]+$", "ab+c", "^(a|b)*c?$", "^a{2,3}b{0,1}$", "[^a]", "^$|^b", "(ab|ba)+", "^(?=.*a)(?=.*b).{2,4}$", "^(?!a)",
    "a.c",
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
