import Grammar
import JSON
import Sampling
import Testing

@Suite struct ObjectTests {
  static let four: JSONValue = [
    "type": "object", "additionalProperties": false, "required": ["a", "c"],
    "properties": [
      "a": ["type": "integer"], "b": ["type": "integer"], "c": ["type": "integer"], "d": ["type": "integer"],
    ],
  ]

  @Test("required, optional, order, extras (case 39)", arguments: [GrammarOptions.KeyOrder.declared, .any])
  func requiredAndOptional(_ order: GrammarOptions.KeyOrder) throws {
    let matcher = try GrammarFixture.matcher(Self.four, keyOrder: order)
    for text in [#"{"a":1,"c":2}"#, #"{"a":1,"b":2,"c":3,"d":4}"#, #"{"a":1,"c":2,"d":3}"#] {
      #expect(GrammarFixture.accepts(matcher, text), "\(text)")
    }
    for text in [
      #"{"a":1}"#, #"{"a":1,"c":2,}"#, #"{,"a":1,"c":2}"#, #"{"a":1,"a":2,"c":3}"#, #"{"a":1,"c":2,"zzz":3}"#,
      #"{"a":null,"c":2}"#, #"{"\u0061":1,"c":2}"#, #"{}"#,
    ] {
      #expect(!GrammarFixture.accepts(matcher, text), "\(text)")
    }
    #expect(GrammarFixture.accepts(matcher, #"{"c":2,"a":1}"#) == (order == .any))
  }

  @Test("an object of optional members may be empty (case 39)") func optionalOnly() throws {
    let matcher = try GrammarFixture.matcher(["type": "object", "properties": ["a": ["type": "integer"]]])
    #expect(GrammarFixture.accepts(matcher, "{}"))
    #expect(GrammarFixture.accepts(matcher, #"{"a":1,"more":[1,{}]}"#))
    #expect(!GrammarFixture.accepts(matcher, #"{"more":1,"more":2}"#))
    #expect(!GrammarFixture.accepts(matcher, #"{"x":1,"a":"no"}"#))
  }

  @Test("a tool without parameters among others (case 40)") func toolWithoutParameters() throws {
    let matcher = try GrammarFixture.matcher(["type": "object", "properties": [:], "additionalProperties": false])
    #expect(GrammarFixture.accepts(matcher, "{}"))
    #expect(!GrammarFixture.accepts(matcher, #"{"a":1}"#))
    let beside = try Grammar(
      .choice([
        .sequence([
          .literal("get_time"), .json(schema: ["type": "object", "properties": [:], "additionalProperties": false]),
        ]),
        .sequence([.literal("get_weather"), .json(schema: Self.four)]),
      ]))
    #expect(GrammarFixture.accepts(Matcher(beside, vocabulary: GrammarFixture.vocabulary), "get_time{}"))
  }

  @Test("enumerations are exact (case 38)") func enumerationsAreExact() throws {
    let values = ["a\"b", "a\\b", "line1\nline2", "é", "北京", "🌧️", "", "a", "ab"]
    let matcher = try GrammarFixture.matcher(["enum": .array(values.map { .string($0) })])
    for value in values { #expect(GrammarFixture.accepts(matcher, JSONValue.string(value).compact), "\(value)") }
    for text in [#""b""#, #""abc""#, #""e""#, #""北""#, "a", #"""#, #""\u0061""#] {
      #expect(!GrammarFixture.accepts(matcher, text), "\(text)")
    }
    let numbers = try GrammarFixture.matcher(["enum": [1, 10, .null]])
    for text in ["1", "10", "null"] { #expect(GrammarFixture.accepts(numbers, text)) }
    for text in ["100", "0", "01"] { #expect(!GrammarFixture.accepts(numbers, text)) }
  }

  @Test("tokens that end inside a character (case 38)") func tokensThatEndInsideACharacter() throws {
    var matcher = try GrammarFixture.matcher(["enum": ["北京"]])
    let cut = try #require(GrammarFixture.tokens.firstIndex { $0 == [0x22, 0xE5] })
    expect(matcher.mask().contains(cut))
    expect(matcher.accept(token: cut))
    #expect(String(decoding: matcher.forcedBytes(), as: UTF8.self).hasSuffix("京\""))
  }
}
