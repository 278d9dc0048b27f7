import Grammar
import JSON
import Sampling
import TestSupport
import Testing

/// What has to hold for every schema, whatever the model prefers.
@Suite struct LawTests {
  static let options = [
    GrammarOptions(whitespace: .spaced), GrammarOptions(whitespace: .compact, keyOrder: .any),
    GrammarOptions(whitespace: .flexible(maximum: 2)),
  ]

  /// Random walks end, parse as strict JSON, and satisfy the schema; masks on the way equal brute force; what was
  /// accepted in tokens is accepted byte by byte and after a rollback with the same masks.
  @Test("walks end, are valid, and masks equal brute force", arguments: GrammarFixture.schemas)
  func walks(_ text: String) throws {
    let schema = try GrammarFixture.schema(text)
    let validator = SchemaValidator(schema)
    for (index, options) in Self.options.enumerated() {
      let start = Matcher(try Grammar.schema(schema, options: options), vocabulary: GrammarFixture.vocabulary)
      for seed in 0..<8 {
        var random = SeededGenerator(seed: UInt64(seed * 3 + index))
        var matcher = start
        var bytes: [UInt8] = []
        var tokens: [Int] = []
        for step in 0..<[3, 12, 40][seed % 3] {
          let mask = matcher.mask()
          if step % 5 == seed % 5 {
            #expect(
              mask.ids == GrammarFixture.bruteForce(matcher), "\(text) after \(String(decoding: bytes, as: UTF8.self))")
          }
          if matcher.isComplete, Bool.random(using: &random) { break }
          let allowed = mask.ids.filter { $0 != GrammarFixture.endToken }
          let closing = allowed.filter { GrammarFixture.vocabulary.bytes(of: $0).contains(0x22) }
          guard let token = (step % 3 == 2 && !closing.isEmpty ? closing : allowed).randomElement(using: &random) else {
            break
          }
          expect(matcher.accept(token: token))
          tokens.append(token)
          bytes += GrammarFixture.vocabulary.bytes(of: token)
        }
        let rest = try #require(matcher.shortestCompletion(), "\(text) after \(String(decoding: bytes, as: UTF8.self))")
        let back = Int.random(in: 0...tokens.count, using: &random)
        var again = matcher
        again.rollback(back)
        for token in tokens.suffix(back) {
          expect(again.mask().contains(token))
          expect(again.accept(token: token))
        }
        expect(again.mask() == matcher.mask())

        expect(rest.isEmpty || matcher.accept(bytes: rest))
        #expect(matcher.isComplete)
        bytes += rest
        let word = String(decoding: bytes, as: UTF8.self)
        #expect(GrammarFixture.accepts(start, word), "\(word)")
        let value = try JSONValue(parsing: bytes)
        #expect(validator.firstError(value) == nil, "\(text): \(word), seed \(seed)")
      }
    }
  }

  /// Copies go their own ways.
  @Test func forksAreIndependent() throws {
    var one = try GrammarFixture.matcher(["type": "integer"])
    expect(one.accept(bytes: "1".utf8))
    var other = one
    expect(other.accept(bytes: "2".utf8))
    expect(one.accept(bytes: "3".utf8))
    one.rollback(1)
    other.rollback(5)
    #expect(one.isComplete)
    #expect(!other.isComplete)
  }

  /// The texts of the shared cases, in every tokenisation of the small vocabulary; and no invalid one.
  @Test(.enabled(if: SharedData.isPresent, "needs ../shared"))
  func sharedCases() throws {
    let tally = try SharedCases.check(every: 6)
    #expect(tally.invalidAccepted.isEmpty)
    #expect(tally.validRefused.count <= tally.valid / 50, "\(tally.validRefused)")
    #expect(tally.refused.count <= tally.schemas / 20, "\(tally.refused)")
  }
}
