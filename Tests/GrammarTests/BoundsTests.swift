import Grammar
import JSON
import Testing

/// Output that could go on for ever, and bounds that are large.
@Suite struct BoundsTests {
  @Test("white space is bounded in every form (case 42)") func whitespaceIsBounded() throws {
    for form in [GrammarOptions.Whitespace.spaced, .compact, .flexible(maximum: 3)] {
      var matcher = try GrammarFixture.matcher(ObjectTests.four, whitespace: form)
      expect(matcher.accept(bytes: Array("{".utf8)))
      var blanks = 0
      while matcher.accept(bytes: [0x20]) || matcher.accept(bytes: [0x0A]) { blanks += 1 }
      #expect(blanks <= 3)
      expect(matcher.accept(bytes: Array(#""a""#.utf8)))
    }
  }

  @Test("only end tokens follow a complete text (cases 42 and 45)") func nothingFollowsTheEnd() throws {
    var matcher = try GrammarFixture.matcher(ObjectTests.four)
    expect(matcher.accept(bytes: Array(#"{"a":1,"c":2}"#.utf8)))
    #expect(matcher.isComplete)
    #expect(GrammarFixture.bruteForce(matcher) == [GrammarFixture.endToken])
    expect(matcher.accept(token: GrammarFixture.endToken))
    expect(matcher.mask() == TokenMaskFixture.empty)
    expect(!matcher.accept(token: GrammarFixture.endToken))
  }

  @Test("depth, items and strings end where the options say (case 42)") func freeValuesAreBounded() throws {
    var options = GrammarOptions(whitespace: .compact)
    options.maximumDepth = 5
    options.maximumItems = 4
    options.maximumStringLength = 8
    let grammar = try Grammar.schema([:], options: options)
    for opening in ["[", "{\"a\":"] {
      var matcher = Matcher(grammar, vocabulary: GrammarFixture.vocabulary)
      var depth = 0
      while matcher.accept(bytes: opening.utf8) { depth += 1 }
      #expect(depth == 5)
    }
    var text = Matcher(grammar, vocabulary: GrammarFixture.vocabulary)
    expect(text.accept(bytes: "\"".utf8))
    var count = 0
    while text.accept(bytes: "a".utf8) { count += 1 }
    #expect(count == 8)
  }

  @Test("large length bounds are kept and cost no rules (case 44)", arguments: [0, 1999, 2000, 2001, 65_536])
  func largeLengths(_ limit: Int) throws {
    for isNested in [false, true] {
      let string: JSONValue = ["type": "string", "maxLength": .integer(limit)]
      let schema: JSONValue =
        isNested
        ? ["type": "object", "properties": ["s": string], "required": ["s"], "additionalProperties": false] : string
      let start = try GrammarFixture.matcher(schema)
      let (open, close) = isNested ? ("{\"s\":\"", "\"}") : ("\"", "\"")
      let fits = String(repeating: "é", count: limit)
      var matcher = start
      expect(matcher.accept(bytes: (open + fits + close).utf8))
      #expect(matcher.isComplete)
      matcher = start
      expect(!matcher.accept(bytes: (open + fits + "a").utf8))
    }
  }

  @Test("lengths count characters, not bytes (case 44)") func lengthsCountCharacters() throws {
    let five = try GrammarFixture.matcher(["type": "string", "minLength": 5, "maxLength": 5])
    #expect(GrammarFixture.accepts(five, "\"ééééé\""))
    #expect(GrammarFixture.accepts(five, #""\u00e9\ud83c\udf27\naa""#))
    #expect(!GrammarFixture.accepts(five, "\"éééé\""))
    #expect(!GrammarFixture.accepts(five, "\"éééééé\""))
  }

  @Test("between 10 and 1,000 items (case 44)") func manyItems() throws {
    let matcher = try GrammarFixture.matcher([
      "type": "array", "minItems": 10, "maxItems": 1000, "items": ["type": "number"],
    ])
    for (count, isRight) in [(9, false), (10, true), (1000, true), (1001, false)] {
      let text = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
      var copy = matcher
      expect((copy.accept(bytes: text.utf8) && copy.isComplete) == isRight, "\(count)")
    }
  }

  @Test("contradictory bounds are an error with a place (case 44)") func contradictionsAreNamed() {
    let schema: JSONValue = [
      "type": "object", "properties": ["list": ["type": "array", "minItems": 3, "maxItems": 2]],
    ]
    #expect(
      throws: GrammarError(
        pointer: "#/properties/list", keyword: "minItems",
        reason: "is larger than maxItems (2): no array has so many items")
    ) { try Grammar.schema(schema) }
  }
}
