import Grammar
import JSON
import Testing

/// Grammars that share what they compiled.
@Suite struct LibraryTests {
  private func call(_ name: String, _ schema: String) throws -> GrammarExpression {
    .sequence([
      .literal("{\"name\": \"\(name)\", \"arguments\": "), .json(schema: try GrammarFixture.schema(schema)),
      .literal("}"),
    ])
  }

  /// Masks and verdicts are those of grammars that stand alone.
  @Test func sharingChangesNothing() throws {
    let library = GrammarLibrary()
    var options = GrammarOptions()
    options.closesObjects = true
    let expressions = try GrammarFixture.schemas.enumerated().map { try call("t\($0)", $1) }
    for start in stride(from: 0, to: expressions.count, by: 3) {
      let part = Array(expressions[start..<min(start + 6, expressions.count)])
      var alone = Matcher(try Grammar(.choice(part), options: options), vocabulary: GrammarFixture.vocabulary)
      var shared = Matcher(
        try Grammar(.choice(part), options: options, library: library), vocabulary: GrammarFixture.vocabulary)
      for byte in "{\"name\": \"t\(start)\", \"arguments\": ".utf8 {
        expect(alone.mask() == shared.mask())
        expect(alone.accept(bytes: [byte]))
        expect(shared.accept(bytes: [byte]))
      }
      expect(alone.mask() == shared.mask())
      #expect(alone.shortestCompletion() == shared.shortestCompletion())
    }
  }

  /// Members keep the order of the schema that was asked for, also where another one has the same members.
  @Test func orderIsPartOfASchema() throws {
    let library = GrammarLibrary()
    for (schema, first) in [
      (#"{"properties":{"a":{},"b":{}},"required":["a","b"],"type":"object"}"#, "{\"a\":1,\"b\":1}"),
      (#"{"properties":{"b":{},"a":{}},"required":["a","b"],"type":"object"}"#, "{\"b\":1,\"a\":1}"),
    ] {
      let grammar = try Grammar(
        .json(schema: try GrammarFixture.schema(schema)), options: GrammarOptions(whitespace: .compact),
        library: library)
      #expect(GrammarFixture.accepts(Matcher(grammar, vocabulary: GrammarFixture.vocabulary), first))
    }
  }

  /// A refused schema does no harm to the others.
  @Test func refusalsLeaveNothingBehind() throws {
    let library = GrammarLibrary()
    for bad in [
      #"{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"pattern":"(x)\\1"}},"required":["b"]}},"required":["a"]}"#,
      #"{"type":"string","pattern":"(((((((((x+)+y?)+)+z*)+)+)+w?)+)+)+\\p{L}{20,400}([a-z]{3,90}|\\p{L}{7,80})+$"}"#,
    ] {
      _ = try? Grammar(.json(schema: try GrammarFixture.schema(bad)), library: library)
      let good = try Grammar(
        .json(schema: ["type": "object", "properties": ["a": ["enum": ["x", "y"]]], "required": ["a"]]),
        library: library)
      #expect(GrammarFixture.accepts(Matcher(good, vocabulary: GrammarFixture.vocabulary), "{\"a\": \"y\"}"))
    }
  }
}
