import Foundation
import Grammar
import JSON
import TestSupport
import Testing

/// Schemas that are large or go round in circles: each overflowed the stack of a thread or took seconds.
@Suite struct HostileSchemaTests {
  private static func definitions(_ count: Int, _ schema: (Int) -> JSONValue) -> JSONValue {
    let members = (0..<count).map { ("a\($0)", schema($0)) }
    return ["$ref": "#/$defs/a0", "$defs": .object(JSONObject(members))]
  }

  private static func nested(_ count: Int, _ outer: (JSONValue) -> JSONValue) -> JSONValue {
    (0..<count).reduce(["type": "string"]) { inner, _ in outer(inner) }
  }

  private static func names(_ prefix: String, _ count: Int) -> [JSONValue] {
    (0..<count).map { .string("\(prefix)\($0)") }
  }

  private static let refused: [(String, JSONValue)] = [
    ("chain of references", definitions(3000) { $0 == 2999 ? [:] : ["$ref": .string("#/$defs/a\($0 + 1)")] }),
    ("circle of references", definitions(3000) { ["$ref": .string("#/$defs/a\(($0 + 1) % 3000)")] }),
    (
      "chain of required members",
      definitions(3000) {
        ["properties": ["x": ["$ref": .string("#/$defs/a\($0 + 1)")]], "required": ["x"], "type": "object"]
      }
    ),
    ("allOf", nested(250) { ["allOf": [$0]] }), ("not", nested(500) { ["not": $0] }),
    ("oneOf", nested(250) { ["oneOf": [$0, ["type": "null"]]] }),
    ("enumeration of integers", ["enum": .array((0..<20_000).map { .integer($0) })]),
    ("enumeration of objects", ["enum": .array((0..<20_000).map { ["a": .integer($0)] })]),
    ("anyOf of numbers", ["anyOf": .array((0..<5000).map { ["const": .integer($0)] })]),
    ("oneOf of many", ["oneOf": .array((0..<5000).map { ["const": .integer($0)] })]),
    ("required names", ["required": .array(names("r", 50_000))]),
    ("properties", ["properties": .object(JSONObject((0..<20_000).map { ("p\($0)", [:]) }))]),
    ("long name", ["required": [.string(String(repeating: "ab", count: 500_000))]]),
    ("prefix", ["prefixItems": .array((0..<20_000).map { ["const": .integer($0)] })]),
    ("dependencies", ["dependentRequired": .object(JSONObject((0..<1000).map { ("p\($0)", ["a", "b"]) }))]),
  ]

  /// Frames of debug builds are several times as large.
  private static var stackSize: Int {
    #if DEBUG
      4 << 20
    #else
      512 << 10
    #endif
  }

  @Test("what is too large is refused, on a thread's stack", arguments: refused.map(\.0))
  func tooLarge(_ name: String) throws {
    let schema = try #require(Self.refused.first { $0.0 == name }?.1)
    try FuzzRun("schema-\(name)", iterations: 1).run(stackSize: Self.stackSize) { _ in
      do { _ = try Grammar.schema(schema) } catch let error as GrammarError {
        guard error.reason.isEmpty else { return }
      }
      throw FuzzFault("\(name) compiles")
    }
  }

  @Test("long lists of strings compile") func longLists() throws {
    for schema: JSONValue in [
      ["enum": .array(Self.names("v", 20_000))],
      ["anyOf": .array(Self.names("s", 1000).map { ["const": $0] })],
      ["oneOf": .array(Self.names("s", 300).map { ["const": $0, "description": "one"] })],
    ] {
      let matcher = try GrammarFixture.matcher(schema)
      let last = schema["enum"] != nil ? "\"v19999\"" : "\"s299\""
      #expect(GrammarFixture.accepts(matcher, last))
      #expect(!GrammarFixture.accepts(matcher, "\"s\""))
    }
  }
}
