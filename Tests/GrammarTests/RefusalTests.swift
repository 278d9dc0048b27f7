import Grammar
import JSON
import Testing

/// What can't be honoured is an error with place and keyword.
@Suite struct RefusalTests {
  @Test(arguments: [
    (#"{"properties":{"a":{"pattern":"(x)\\1"}}}"#, "#/properties/a", "pattern"),
    (#"{"$ref":"http://example.com/other.json"}"#, "#", "$ref"),
    (#"{"items":{"uniqueItems":true,"items":{"type":"object"}}}"#, "#/items/items", "uniqueItems"),
    (#"{"properties":{"a":{"type":"strin"}}}"#, "#/properties/a", "type"),
    (#"{"properties":{"a/b":{"minLength":-1}}}"#, "#/properties/a~1b", "minLength"),
    (##"{"allOf":[{"$ref":"#"}]}"##, "#", "$ref"), (#"{"format":"idn-hostname"}"#, "#", "format"),
  ])
  func placeAndKeyword(_ text: String, _ pointer: String, _ keyword: String) throws {
    let schema = try GrammarFixture.schema(text)
    do {
      _ = try Grammar.schema(schema)
      Issue.record("\(text) was compiled")
    } catch {
      #expect(error.pointer == pointer)
      #expect(error.keyword == keyword)
      #expect(error.description.contains(keyword))
    }
  }

  @Test func impossibleValuesAreNamed() throws {
    let schema = try GrammarFixture.schema(#"{"type":"object","required":["a"],"properties":{"a":{"enum":[]}}}"#)
    let error = #expect(throws: GrammarError.self) { try Grammar.schema(schema) }
    #expect(error?.reason.contains("\"a\"") ?? false)
  }

  /// A pattern whose states would cost minutes is refused in time.
  @Test func costlyPatternsAreRefused() throws {
    let pattern = "^" + String(repeating: "(", count: 60) + "\\p{L}" + String(repeating: "+)+", count: 60) + "$"
    _ = try? Grammar.schema(["type": "string", "pattern": .string(pattern)])
    let nested = "((((((([a-z]{1,90}x){2,80}y){2,70}z){2,60})+w){2,50}){3,40}v){5,30}"
    _ = try? Grammar.regex(nested)
  }
}
