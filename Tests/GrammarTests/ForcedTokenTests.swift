import Grammar
import JSON
import Sampling
import Testing

@Suite struct ForcedTokenTests {
  /// Longest match from the left, over the fixture's vocabulary: a tokenizer in which any longer token swallows a shorter one.
  static func encode(_ bytes: [UInt8]) -> [Int] {
    var rest = bytes[...]
    var tokens: [Int] = []
    while !rest.isEmpty {
      let best = (0..<GrammarFixture.vocabulary.count).filter { id in
        let word = GrammarFixture.vocabulary.bytes(of: id)
        return !word.isEmpty && rest.starts(with: word)
      }.max { GrammarFixture.vocabulary.bytes(of: $0).count < GrammarFixture.vocabulary.bytes(of: $1).count }
      guard let best else { return tokens }
      tokens.append(best)
      rest = rest.dropFirst(GrammarFixture.vocabulary.bytes(of: best).count)
    }
    return tokens
  }

  /// At every place of a finished text the forced tokens are those of the text.
  @Test func areThoseOfTheFinishedText() throws {
    let schema = try GrammarFixture.schema(
      #"{"type":"object","properties":{"name":{"const":"get_weather"},"city":{"enum":["San Francisco","Santa"]},"tool":{"type":"boolean"}},"required":["name","city","tool"],"additionalProperties":false}"#
    )
    let start = try GrammarFixture.matcher(schema, whitespace: .spaced)
    var forcedCount = 0
    for text in [
      #"{"name": "get_weather", "city": "San Francisco", "tool": true}"#,
      #"{"name": "get_weather", "city": "Santa", "tool": false}"#,
    ] {
      let ids = Self.encode(Array(text.utf8))
      var matcher = start
      for place in ids.indices {
        let forced = matcher.forcedTokens(after: Array(ids[..<place]), encode: Self.encode)
        #expect(Array(ids[place...].prefix(forced.count)) == forced)
        forcedCount += forced.count
        expect(matcher.mask().contains(ids[place]))
        expect(matcher.accept(token: ids[place]))
      }
      #expect(matcher.isComplete)
    }
    #expect(forcedCount > 10)
  }
}
