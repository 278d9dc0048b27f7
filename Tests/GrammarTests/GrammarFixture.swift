import Grammar
import JSON
import TestSupport

/// A small vocabulary with every trap: all single bytes, tokens across several grammar rules, tokens that end inside a
/// character, two ids with the same bytes, control tokens without text.
enum GrammarFixture {
  static let endToken = 400
  static let pieces: [String] = [
    "{\"", "\":", "\": ", "\"}", "\"},", "\", \"", "\"\"", "{}", "[]", "[[", "]]", "}}", "}]", ", ", ": ", " \"",
    "true",
    "false", "null", "12", "123", "99", "-1", "0.", ".5", "e1", "E+", "ab", "abc", "the", " the", "name", "city", "San",
    " Francisco", "é", "北京", "京", "\\n", "\\u", "\\\"", "00", "a\"", "a\",", "1}", "1,", "1, ", "\n", "\n  ", "  ",
    "<tool_call>", "</tool_call>", "<tool", "_call>", "tool", "call", "get", "_weather", "get_weather", "2024", "-02-",
    "://", "@", ".com", "x", "abc",
  ]

  static let tokens: [[UInt8]?] = {
    var tokens: [[UInt8]?] = (0...255).map { [UInt8($0)] }
    tokens += pieces.map { Array($0.utf8) }
    // The first byte of a character with the byte before it, and the rest.
    tokens += [[0x22, 0xE5], [0x8C, 0x97], [0xE5, 0x8C], [0x97, 0xE4], [0xF0, 0x9F], [0x8C, 0xA7]]
    while tokens.count < 399 { tokens.append(nil) }
    // Empty text, and the end.
    return tokens + [[], nil, nil]
  }()

  static let vocabulary = Vocabulary(
    tokens: tokens, controls: ["<call>": 401, "<end>": 400], endTokens: [endToken])

  /// Whether the whole `text` is accepted byte by byte.
  static func accepts(_ start: Matcher, _ text: String) -> Bool {
    var matcher = start
    return text.utf8.allSatisfy { matcher.accept(bytes: CollectionOfOne($0)) } && matcher.isComplete
  }

  static func matcher(
    _ schema: JSONValue, whitespace: GrammarOptions.Whitespace = .compact, keyOrder: GrammarOptions.KeyOrder = .declared
  ) throws -> Matcher {
    let options = GrammarOptions(whitespace: whitespace, keyOrder: keyOrder)
    return Matcher(try Grammar.schema(schema, options: options), vocabulary: vocabulary)
  }

  static func schema(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

  /// What every token of the vocabulary says when it is tried.
  static func bruteForce(_ matcher: Matcher) -> [Int] {
    (0..<vocabulary.count).filter { token in
      var trial = matcher
      return trial.accept(token: token)
    }
  }

  /// Schemas that touch every keyword; the walks and the masks are tried on all of them.
  static let schemas: [String] = [
    #"{"type":"string"}"#, #"{"type":"string","minLength":2,"maxLength":5}"#, #"{"type":"integer"}"#,
    #"{"type":"number"}"#,
    #"{"type":"number","minimum":-2.5,"exclusiveMaximum":17}"#, #"{"type":"integer","multipleOf":7,"minimum":3}"#,
    #"{"type":"boolean"}"#, #"{"type":"null"}"#, #"{}"#, #"true"#,
    #"{"enum":["a","ab","é","北京",1,null,true,[1,{"x":"y"}]]}"#,
    #"{"const":{"a":[1,2],"b":"c"}}"#, #"{"type":["string","integer","null"]}"#,
    #"{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}"#,
    #"{"type":"object","properties":{"a":{"type":"integer"},"ab":{"type":"string"},"b":{"type":"boolean"}},"required":["ab"]}"#,
    #"{"type":"object","additionalProperties":{"type":"integer"},"minProperties":1,"maxProperties":3}"#,
    #"{"type":"object","patternProperties":{"^x":{"type":"integer"},"y$":{"minimum":3}},"additionalProperties":false}"#,
    #"{"type":"object","propertyNames":{"pattern":"^[a-c]+$"},"maxProperties":2}"#,
    #"{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":3}"#,
    #"{"type":"array","prefixItems":[{"type":"string"},{"type":"boolean"}],"items":{"type":"null"}}"#,
    #"{"type":"array","items":{"enum":["a","b","ab"]},"uniqueItems":true,"minItems":2}"#,
    #"{"type":"array","items":{"type":"integer"},"contains":{"minimum":10},"minContains":2,"maxContains":2}"#,
    #"{"anyOf":[{"type":"object","properties":{"k":{"const":"a"},"v":{"type":"integer"}},"required":["k","v"]},{"type":"object","properties":{"k":{"const":"b"},"w":{"type":"string"}},"required":["k","w"]}]}"#,
    #"{"oneOf":[{"type":"integer","multipleOf":2},{"type":"integer","multipleOf":3}]}"#,
    #"{"allOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"required":["a","b"]}],"maxProperties":2}"#,
    #"{"not":{"type":["object","array","string"]}}"#, #"{"type":"string","not":{"pattern":"^a"}}"#,
    #"{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"integer"}},"required":["a"],"additionalProperties":false,"if":{"properties":{"a":{"const":true}}},"then":{"required":["b"]},"else":{"not":{"required":["b"]}}}"#,
    ##"{"$defs":{"node":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/node"}},"required":["v"],"additionalProperties":false}},"$ref":"#/$defs/node"}"##,
    #"{"type":"string","pattern":"^[a-z]{2,4}-[0-9]+$"}"#, #"{"type":"string","pattern":"ab+c","maxLength":6}"#,
    #"{"type":"string","format":"date"}"#, #"{"type":"string","format":"email"}"#,
    #"{"type":"string","format":"ipv4"}"#,
    #"{"type":"string","format":"uuid"}"#, #"{"type":"string","format":"date-time"}"#,
    #"{"type":"string","format":"uri"}"#,
    #"{"type":"object","properties":{"a":{},"b":{},"c":{}},"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"properties":{"a":{"type":"integer"}}}},"additionalProperties":false}"#,
    #"{"type":"object","properties":{"a":{"type":"integer"}},"anyOf":[{"properties":{"b":{"type":"string"}}},{"properties":{"c":{"type":"null"}}}],"unevaluatedProperties":false}"#,
    #"{"type":"array","prefixItems":[{"type":"integer"}],"unevaluatedItems":false}"#,
    #"{"type":"string","nullable":true,"maxLength":3}"#,
  ]
}
