import Grammar
import JSON
import Sampling
import Testing

@Suite struct ExpressionTests {
  static func matcher(_ expression: GrammarExpression) throws -> Matcher {
    Matcher(try Grammar(expression), vocabulary: GrammarFixture.vocabulary)
  }

  @Test("tokens that span several rules (case 45)") func tokensAcrossRules() throws {
    let matcher = try Self.matcher(
      .sequence([.literal("{"), .literal("\"name\": "), .json(schema: ["type": "null"]), .literal("}")]))
    var copy = matcher
    expect(copy.mask().ids == GrammarFixture.bruteForce(copy))
    expect(copy.accept(bytes: "{\"".utf8))
    #expect(copy.forcedBytes() == Array("name\": null}".utf8))
    #expect(copy.shortestCompletion() == Array("name\": null}".utf8))
  }

  @Test func textStopsAtMarkers() throws {
    let call = GrammarExpression.sequence([
      .literal("<tool_call>"), .json(schema: ["type": "integer"]), .literal("</tool_call>"),
    ])
    let turn = GrammarExpression.sequence([
      .text(excluding: ["<tool_call>"]),
      .repeated(.sequence([call, .text(excluding: ["<tool_call>"])]), min: 0, max: nil, separator: ""),
    ])
    let matcher = try Self.matcher(turn)
    for text in [
      "", "hello", "a <tool_ b", "x<tool_call>1</tool_call>", "<tool_call>1</tool_call><tool_call>22</tool_call> end",
    ] {
      #expect(GrammarFixture.accepts(matcher, text), "\(text)")
    }
    for text in ["<tool_call>", "<tool_call>x</tool_call>", "<tool_call>1</tool_call"] {
      #expect(!GrammarFixture.accepts(matcher, text), "\(text)")
    }
    var inside = matcher
    for byte in "say <tool".utf8 {
      expect(inside.mask().ids == GrammarFixture.bruteForce(inside))
      expect(inside.accept(bytes: CollectionOfOne(byte)))
    }
    expect(inside.mask().ids == GrammarFixture.bruteForce(inside))
  }

  @Test("control tokens only where the grammar names them (case 45)") func controlTokens() throws {
    var known = try Self.matcher(.sequence([.control("<call>"), .json(schema: ["type": "integer"])]))
    expect(known.mask().ids == [401])
    expect(!known.accept(bytes: "<call>".utf8))
    expect(known.accept(token: 401))
    expect(!known.mask().contains(401))
    var unknown = try Self.matcher(.sequence([.control("<other>"), .literal("x")]))
    expect(unknown.accept(bytes: "<other>x".utf8))
    #expect(unknown.isComplete)
  }

  @Test func repetitionsCount() throws {
    let matcher = try Self.matcher(.repeated(.literal("ab"), min: 2, max: 3, separator: ", "))
    for (count, isRight) in [(1, false), (2, true), (3, true), (4, false)] {
      #expect(GrammarFixture.accepts(matcher, Array(repeating: "ab", count: count).joined(separator: ", ")) == isRight)
    }
    let empty = try Self.matcher(.repeated(.text(excluding: []), min: 0, max: nil, separator: ""))
    #expect(GrammarFixture.accepts(empty, "anything"))
  }

  @Test func regularExpressions() throws {
    let matcher = Matcher(try Grammar.regex("[a-c]+(x|yz){2}"), vocabulary: GrammarFixture.vocabulary)
    #expect(GrammarFixture.accepts(matcher, "abcxyz"))
    #expect(!GrammarFixture.accepts(matcher, "abcx"))
    #expect(throws: GrammarError.self) { try Grammar.regex("(a)\\1") }
  }

  @Test("tokens without text are never allowed (case 45)") func emptyTextIsNeverAToken() throws {
    var matcher = try Self.matcher(.text(excluding: []))
    expect(!matcher.mask().contains(399))
    expect(!matcher.accept(token: 399))
    expect(!matcher.accept(token: -1))
    expect(!matcher.accept(token: 1_000_000))
  }

  @Test func contradictoryExpressions() {
    #expect(throws: GrammarError.self) { try Grammar(.choice([])) }
    #expect(throws: GrammarError.self) { try Grammar(.repeated(.literal("a"), min: 3, max: 2, separator: "")) }
    #expect(throws: GrammarError.self) { try Grammar(.json(schema: false)) }
  }
}
