import Grammar
import JSON
import Testing

/// What compiles can be ended from everywhere; what asks for too much is refused with its place.
@Suite struct CompletionTests {
  /// The shortest text behind `beginning`, checked by the validator.
  private func completed(_ text: String, _ beginning: String = "") throws -> String {
    let schema = try GrammarFixture.schema(text)
    var matcher = try GrammarFixture.matcher(schema, whitespace: .compact)
    expect(matcher.accept(bytes: beginning.utf8))
    let rest = try #require(matcher.shortestCompletion())
    expect(rest.isEmpty || matcher.accept(bytes: rest))
    #expect(matcher.isComplete)
    let line = beginning + String(decoding: rest, as: UTF8.self)
    let fault = SchemaValidator(schema).firstError(try JSONValue(parsing: line))
    #expect(fault == nil, "\(text): \(line): \(fault ?? "")")
    return line
  }

  @Test(
    "keys that only `not` asks for",
    arguments: [
      (#"{"type":"object","not":{"patternProperties":{"^z":{"type":"integer"}}}}"#, #"{"z":""}"#),
      (#"{"type":"object","not":{"propertyNames":{"maxLength":3}}}"#, #"{"aaaa":0}"#),
      (#"{"type":"object","not":{"propertyNames":{"pattern":"^[^é]*$"}}}"#, #"{"é":0}"#),
      (
        #"{"type":"object","additionalProperties":{"type":"integer"},"not":{"patternProperties":{"^[x-z]+$":{"maximum":9}}}}"#,
        #"{"x":10}"#
      ),
    ])
  func keysOfNot(_ schema: String, _ shortest: String) throws {
    let found = try completed(schema, "{")
    #expect(found.utf8.count == shortest.utf8.count, "\(found)")
    // A key that doesn't serve has been written already, or has been begun.
    _ = try completed(schema, #"{"a"#)
    _ = try completed(schema, #"{"b":1,"c":2,"#)
  }

  @Test(arguments: [
    (#"{"type":"object","additionalProperties":{"type":"integer"},"minProperties":1000,"maxProperties":3000}"#, 1000),
    (#"{"type":"object","minProperties":1500}"#, 1500),
    (#"{"type":"object","patternProperties":{"^[a-z]+$":{}},"additionalProperties":false,"minProperties":120}"#, 120),
    (#"{"type":"object","propertyNames":{"pattern":"^[é-ü]{2}$"},"minProperties":50}"#, 50),
  ])
  func manyProperties(_ schema: String, _ count: Int) throws {
    for beginning in ["", "{", #"{"\u0079"#, #"{"éé":1,""#] {
      var matcher = try GrammarFixture.matcher(try GrammarFixture.schema(schema))
      // Not every schema allows every beginning.
      guard matcher.accept(bytes: beginning.utf8) else { continue }
      #expect(try JSONValue(parsing: try completed(schema, beginning)).objectValue?.count == count)
    }
  }

  @Test(arguments: [
    (
      #"{"type":"array","items":{"type":"integer"},"contains":{"minimum":10},"minContains":2000,"maxContains":2000}"#,
      2000
    ),
    (#"{"type":"array","items":{"type":"integer"},"contains":{"minimum":10},"minContains":2000}"#, 2000),
    (#"{"type":"array","minItems":5000}"#, 5000),
    (#"{"type":"array","items":{"type":"integer"},"uniqueItems":true,"minItems":60}"#, 60),
  ])
  func manyItems(_ schema: String, _ count: Int) throws {
    #expect(try JSONValue(parsing: try completed(schema)).arrayValue?.count == count)
    #expect(try JSONValue(parsing: try completed(schema, "[9,8")).arrayValue?.count ?? 0 >= count)
  }

  @Test(arguments: [
    (#"{"type":"string","minLength":60000}"#, 60000),
    (#"{"type":"string","pattern":"^[^a-z]+$","minLength":5000}"#, 5000),
    (#"{"type":"string","pattern":"^[\\n\\t]*$","minLength":500}"#, 500),
    (#"{"type":"string","pattern":"^(ab|cde)*$","minLength":301,"maxLength":302}"#, 301),
  ])
  func longStrings(_ schema: String, _ count: Int) throws {
    let text = try JSONValue(parsing: try completed(schema)).stringValue ?? ""
    #expect((count...(count + 2)).contains(text.unicodeScalars.count))
  }

  @Test(
    "what would be too long is refused, by path and keyword",
    arguments: [
      (#"{"properties":{"a":{"type":"string","minLength":65535}}}"#, "#/properties/a", "minLength"),
      (#"{"properties":{"a":{"minLength":9223372036854775807}}}"#, "#/properties/a", "minLength"),
      (#"{"not":{"maxLength":9223372036854775807}}"#, "#", "minLength"),
      (#"{"type":"string","pattern":"^[a-z]{2,4}-[0-9]+$","minLength":1000000000}"#, "#", "minLength"),
      (#"{"items":{"type":"array","minItems":1000000000}}"#, "#/items", "minItems"),
      (#"{"type":"array","minItems":300,"items":{"type":"array","minItems":300}}"#, "#", "minItems"),
      (#"{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"string"},"minItems":40000}]}"#, "#", "minItems"),
      (#"{"type":"array","uniqueItems":true,"items":{"type":"integer"},"minItems":2000}"#, "#", "minItems"),
      (#"{"type":"array","contains":{"minimum":3},"minContains":100000}"#, "#/contains", "contains"),
      (#"{"type":"object","minProperties":9007199254740992.0}"#, "#", "minProperties"),
    ])
  func tooLong(_ text: String, _ pointer: String, _ keyword: String) throws {
    let schema = try GrammarFixture.schema(text)
    let error = #expect(throws: GrammarError.self) { try Grammar.schema(schema) }
    #expect(error?.pointer == pointer)
    #expect(error?.keyword == keyword)
    #expect(error?.reason.contains("more than") ?? false, "\(String(describing: error))")
  }

  /// What is read is a double: a text beyond its precision must not be in the set when the number that is read isn't.
  @Test(
    "numbers are in the set as they are read",
    arguments: [
      (#"{"not":{"type":["integer","array","string"]}}"#, "3006202408529990.12359900129956202472", "0.5"),
      (#"{"type":"number","exclusiveMinimum":3}"#, "3.00000000000000000001", "3.0000000000001"),
      (#"{"type":"number","exclusiveMaximum":0.3}"#, "0.29999999999999999999", "0.299999999999"),
      (#"{"type":"number","exclusiveMaximum":1e25}"#, "9999999999999999999999999", "9999999999999990000000000"),
      (#"{"type":"number","multipleOf":0.01,"maximum":1e18}"#, "100000000000000000.01", "1234567890123.25"),
      (#"{"type":"integer","multipleOf":7,"maximum":1e25}"#, "41200460120240126048", "9223372036854775807"),
      (#"{"type":"number","minimum":9007199254740993}"#, "9007199254740993.0", "9007199254740993"),
    ])
  func numbersAsRead(_ text: String, _ wrong: String, _ right: String) throws {
    let matcher = try GrammarFixture.matcher(try GrammarFixture.schema(text))
    #expect(!GrammarFixture.accepts(matcher, wrong))
    #expect(GrammarFixture.accepts(matcher, right))
  }

  /// An excluded zero costs no digits: no text but zero is read as zero.
  @Test func positiveNumbersKeepTheirDigits() throws {
    let matcher = try GrammarFixture.matcher(["type": "number", "exclusiveMinimum": 0])
    #expect(GrammarFixture.accepts(matcher, "0.30000000000000004"))
    #expect(!GrammarFixture.accepts(matcher, "0.0"))
  }
}
