import Grammar
import JSON
import Sampling
import TestSupport
import Testing

/// What the grammar writes without asking the model is what the tokenizer would have written.
@Suite struct ForcedTokenTests {
  /// Longest match from the left, over the fixture's vocabulary: a tokenizer in which any longer token swallows a shorter
  /// one.
  static func encode(_ bytes: [UInt8]) -> [Int] {
    var rest = bytes[...]
    var tokens: [Int] = []
    while !rest.isEmpty {
      guard let best = longest(at: rest) else { return tokens }
      tokens.append(best)
      rest = rest.dropFirst(GrammarFixture.vocabulary.bytes(of: best).count)
    }
    return tokens
  }

  /// The same, but letters are never in one token with anything else, save a blank before them.
  static func encodeWords(_ bytes: [UInt8]) -> [Int] {
    func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte >= 0x80 }
    var pieces: [[UInt8]] = []
    for (index, byte) in bytes.enumerated() {
      let follows = index > 0 && isLetter(byte) == isLetter(bytes[index - 1])
      let isBlank = byte == 0x20 && index + 1 < bytes.count && isLetter(bytes[index + 1])
      let joinsBlank = isLetter(byte) && index > 0 && bytes[index - 1] == 0x20
      if pieces.isEmpty || isBlank || !(follows || joinsBlank) { pieces.append([]) }
      pieces[pieces.count - 1].append(byte)
    }
    return pieces.flatMap { encode($0) }
  }

  private static func longest(at rest: ArraySlice<UInt8>) -> Int? {
    (0..<GrammarFixture.vocabulary.count).filter { id in
      let word = GrammarFixture.vocabulary.bytes(of: id)
      return !word.isEmpty && rest.starts(with: word)
    }.max { left, right in
      let (one, other) = (GrammarFixture.vocabulary.bytes(of: left), GrammarFixture.vocabulary.bytes(of: right))
      return (one.count, -left) < (other.count, -right)
    }
  }

  static let call = #"""
    {"type":"object","properties":{"name":{"const":"get_weather"},"city":{"enum":["San Francisco","Santa"]},
    "tool":{"type":"boolean"},"city2":{"type":"string"}},"required":["name","city","tool"],"additionalProperties":false}
    """#

  /// At every place of a finished text the forced tokens are those of the text.
  @Test("forced tokens are those of the finished text", arguments: [true, false])
  func areThoseOfTheFinishedText(_ splitsWords: Bool) throws {
    let encode = splitsWords ? Self.encodeWords : Self.encode
    let start = try GrammarFixture.matcher(try GrammarFixture.schema(Self.call), whitespace: .spaced)
    var forcedCount = 0
    for text in [
      #"{"name": "get_weather", "city": "San Francisco", "tool": true}"#,
      #"{"name": "get_weather", "city": "Santa", "tool": false}"#,
      #"{"name": "get_weather", "city": "Santa", "tool": false, "city2": "\"://@"}"#,
    ] {
      let ids = encode(Array(text.utf8))
      var matcher = start
      for place in ids.indices {
        let forced = matcher.forced(after: Array(ids[..<place]), encode: encode)
        #expect(Array(ids[place...].prefix(forced.tokens.count)) == forced.tokens)
        forcedCount += forced.tokens.count
        expect(matcher.mask().contains(ids[place]))
        expect(matcher.accept(token: ids[place]))
      }
      #expect(matcher.isComplete)
    }
    #expect(forcedCount > 10)
  }

  /// The same for what random walks write under all schemas.
  @Test("forced tokens of random texts are canonical", arguments: [0, 1, 2])
  func randomTexts(_ seed: Int) throws {
    for (index, text) in GrammarFixture.schemas.enumerated() {
      let start = try GrammarFixture.matcher(try GrammarFixture.schema(text), whitespace: .spaced)
      let bytes = Self.bytes(of: start, seed: UInt64(seed * 1_000 + index))
      let ids = Self.encode(bytes)
      var matcher = start
      for place in ids.indices {
        let forced = matcher.forcedTokens(after: Array(ids[..<place]), encode: Self.encode)
        #expect(ids[place...].starts(with: forced), "\(text), seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        guard matcher.accept(token: ids[place]) else {
          Issue.record("\(text), seed \(seed): \(String(decoding: bytes, as: UTF8.self)) is refused at \(place)")
          break
        }
      }
    }
  }

  /// A complete text that random tokens lead to.
  private static func bytes(of start: Matcher, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var matcher = start
    var bytes: [UInt8] = []
    for _ in 0..<20 {
      let allowed = matcher.mask().ids.filter { $0 != GrammarFixture.endToken }
      guard let token = allowed.randomElement(using: &random), matcher.accept(token: token) else { break }
      bytes += GrammarFixture.vocabulary.bytes(of: token)
    }
    return bytes + (matcher.shortestCompletion() ?? [])
  }

  /// `""` is a token: before a free string the quote is likely, but not sure.
  @Test("what is likely but not sure is a guess")
  func guesses() throws {
    let schema = try GrammarFixture.schema(
      #"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}"#)
    var matcher = try GrammarFixture.matcher(schema, whitespace: .compact)
    let opening = Self.encode(Array("{\"city\":".utf8))
    for token in opening.dropLast() { expect(matcher.accept(token: token)) }
    let forced = matcher.forced(after: opening.dropLast(), encode: Self.encode)
    let quote = Int(UInt8(ascii: "\""))
    #expect(forced.guess == quote || forced.tokens.last == quote, "\(forced)")
    var taken = matcher
    for token in forced.tokens { expect(taken.accept(token: token)) }
    if let guess = forced.guess { expect(taken.mask().contains(guess)) }
  }
}
