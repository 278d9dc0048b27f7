import Foundation
import Grammar
import JSON
import Sampling
import TestSupport
import Testing

/// Schemas that were changed at random, compiled, and walked through.
@Suite("Fuzzing of the schema compiler")
struct SchemaFuzzTests {
  private static let keys = [
    "type", "properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties",
    "maxProperties", "items", "prefixItems", "additionalItems", "contains", "minContains", "maxContains", "minItems",
    "maxItems", "uniqueItems", "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "enum", "const", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref",
    "$defs", "definitions", "$id", "$anchor", "$dynamicRef", "$schema", "dependentRequired", "dependentSchemas",
    "dependencies", "unevaluatedProperties", "unevaluatedItems", "nullable", "title", "default", "a", "b", "",
    "__proto__",
  ]
  private static let values: [JSONValue] = [
    "string", "integer", "number", "object", "array", "boolean", "null", ["string", "null"], ["type": "string"],
    ["type": "integer"], ["type": "object"], ["type": "array"], ["$ref": "#"], ["$ref": "#/$defs/a"], ["not": [:]],
    ["enum": ["a", 1]], ["const": "a"], "^a+$", "(a|b)*", "[^a]", "\\d{2,5}", "(?=a)", "date", "uuid", "email", "uri",
    ["minLength": 3], ["maximum": 3], ["minItems": 1000], ["maxLength": 65_536], ["pattern": "^(a{1,50}){1,50}$"],
  ]

  private static func corpus() throws -> [JSONValue] {
    let own = try GrammarFixture.schemas.map { try JSONValue(parsing: $0) }
    guard SharedData.isPresent else { return own }
    let shared = try SharedData.lines("data/grammar/cases.jsonl")
      .compactMap { try JSONValue(parsing: $0)["schema"] }.filter { $0.compact.utf8.count < 4000 }
    return own + own + shared
  }

  @Test("A changed schema is refused with its place, or gives texts that satisfy it")
  func changedSchemas() throws {
    let mutator = JSONMutator(try Self.corpus(), keys: Self.keys, values: Self.values)
    var outcomes: [String: Int] = [:]
    try FuzzRun("schema", iterations: 200).run { iteration in
      let schema = mutator.mutated(iteration: iteration, seed: 5)
      FuzzRun.show(schema.compact)
      var options = GrammarOptions(
        whitespace: [.spaced, .compact, .flexible(maximum: 2)][Int(iteration % 3)],
        keyOrder: iteration % 5 == 0 ? .any : .declared)
      options.isLenient = iteration % 7 == 0
      options.closesObjects = iteration % 11 == 0
      outcomes[try Self.walk(schema, options, iteration), default: 0] += 1
    }
    #expect(Set(outcomes.keys).isSuperset(of: ["refused", "complete"]), "\(outcomes)")
    if outcomes.values.reduce(0, +) > 1000 { print("fuzzing schema: \(outcomes)") }
  }

  /// Compiles `schema` and writes a text at random, for a few tokens, then the shortest end.
  private static func walk(_ schema: JSONValue, _ options: GrammarOptions, _ iteration: UInt64) throws -> String {
    let grammar: Grammar
    do throws(GrammarError) {
      grammar = try Grammar.schema(schema, options: options)
    } catch {
      guard !error.description.isEmpty, error.description.utf8.count < 2000 else {
        throw FuzzFault("\(schema): a message of \(error.description.utf8.count) bytes")
      }
      return "refused"
    }
    var generator = SeededGenerator(seed: iteration)
    var matcher = Matcher(grammar, vocabulary: GrammarFixture.vocabulary)
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0...24, using: &generator) {
      let mask = matcher.mask()
      let allowed = (0..<GrammarFixture.vocabulary.count).filter { mask.contains($0) }
      guard let token = allowed.randomElement(using: &generator) else {
        throw FuzzFault("\(schema): nothing may follow \(String(decoding: text, as: UTF8.self).debugDescription)")
      }
      if token == GrammarFixture.endToken { break }
      guard matcher.accept(token: token) else { throw FuzzFault("\(schema): token \(token) of the mask is refused") }
      text += GrammarFixture.vocabulary.bytes(of: token)
    }
    guard let rest = matcher.shortestCompletion() else {
      throw FuzzFault("\(schema): \(String(decoding: text, as: UTF8.self).debugDescription) can't be completed")
    }
    guard rest.isEmpty || matcher.accept(bytes: rest), matcher.isComplete else {
      throw FuzzFault("\(schema): the completion \(String(decoding: rest, as: UTF8.self).debugDescription) is refused")
    }
    let line = String(decoding: text + rest, as: UTF8.self)
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: line, loneSurrogates: .replace) } catch {
      if case .numberOutOfRange = error.reason { return "complete" }
      throw FuzzFault("\(schema): \(line): \(error)")
    }
    if !options.isLenient, let fault = SchemaValidator(schema).firstError(value) {
      throw FuzzFault("\(schema): \(line): \(fault)")
    }
    return "complete"
  }

  @Test("A validator takes any value under any schema")
  func validator() throws {
    let schemas = JSONMutator(try Self.corpus(), keys: Self.keys, values: Self.values)
    let values = JSONMutator(
      [
        ["city": "Paris", "days": 3, "a": [1, 2.5, .null, "x", ["a": true]], "v": ["v": 1]], [1, "a", [2]], "abc", 7,
        2.5,
      ],
      keys: ["a", "b", "city", "v", "next", "k"], values: ["b", 15, 10])
    var outcomes: [Bool: Int] = [:]
    try FuzzRun("validator", iterations: 1000).run { iteration in
      let validator = SchemaValidator(schemas.mutated(iteration: iteration, seed: 6))
      outcomes[validator.isValid(values.mutated(iteration: iteration, seed: 7)), default: 0] += 1
    }
    #expect(outcomes.count == 2, "\(outcomes)")
  }
}
