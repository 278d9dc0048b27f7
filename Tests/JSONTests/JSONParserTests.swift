import JSON
import Testing

@Suite("JSON parser")
struct JSONParserTests {
  @Test("values of every kind")
  func kinds() throws {
    #expect(try JSONValue(parsing: " null ") == .null)
    #expect(try JSONValue(parsing: "[true,false]") == [true, false])
    #expect(try JSONValue(parsing: "{\"a\" : [ ] , \"b\":{ } }") == ["a": [], "b": [:]])
    #expect(try JSONValue(parsing: "\"\"") == "")
    #expect(try JSONValue(parsing: "\"\u{7F}é🦙\"") == "\u{7F}é🦙")
    #expect(try JSONValue(parsing: "[1, -2, 3.0]") == [1, -2, 3.0])
  }

  @Test(
    "numbers",
    arguments: [
      ("0", .integer(0)), ("-0", .integer(0)), ("-0.0", .double(-0.0)), ("12", .integer(12)), ("1e2", .double(100)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1E-2", .double(0.01)), ("1e-999", .double(0)),
      ("2.2250738585072011e-308", .double(Double.leastNormalMagnitude.nextDown)),
      ("5e-324", .double(.leastNonzeroMagnitude)),
      ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
      ("0.1000000000000000055511151231257827", .double(0.1)),
    ] as [(String, JSONValue)])
  func numbers(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(
    "what is not JSON is refused",
    arguments: [
      "", " ", "[", "{", "]", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "'a'",
      "01", "-01", "-", "+1", ".5", "1.", "1.e2", "1e", "1e+", "0x1", "NaN", "Infinity", "-Infinity", "nul",
      "truefalse",
      "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\n\"", "\"\t\"", "\"\0\"", "1 2", "[1]]", "\u{FEFF}1",
      "[1]\0", "\0", "/*c*/1", "1//", "\u{A0}1", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\n\"", "\"\\ud800\\ud800\"",
      "1e999", "-1e999", "[\"a\",\n1e309]", "{\"a\":1 \"b\":2}", "{\"a\" 1}", "\"a", "[\"a", "{\"a",
    ])
  func refused(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test("an error says what and where")
  func position() throws {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "{\n \"é\": tru}") }
    #expect(error?.line == 2)
    #expect(error?.column == 7)
    #expect(error?.offset == 9)
    #expect("\(try #require(error))" == "invalid JSON at line 2, column 7: \"t\" where a value was expected")
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
  }

  @Test("escapes")
  func escapes() throws {
    #expect(
      try JSONValue(parsing: #""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83e\udd99\u0000""#) == "\"\\/\u{8}\u{C}\n\r\tAé🦙\0")
    #expect(try JSONValue(parsing: #""a\ud83e""#, loneSurrogates: .replace) == "a\u{FFFD}")
    #expect(try JSONValue(parsing: #""\ud83e\ud83e\udd99""#, loneSurrogates: .replace) == "\u{FFFD}🦙")
    #expect(try JSONValue(parsing: #""\ud83e\u0041""#, loneSurrogates: .replace) == "\u{FFFD}A")
    #expect(try JSONValue(parsing: #""\udd99x""#, loneSurrogates: .replace) == "\u{FFFD}x")
  }

  @Test("the depth limit")
  func depth() throws {
    let text = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
    #expect(throws: Never.self) { try JSONValue(parsing: text, maximumDepth: 20) }
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text, maximumDepth: 19) }
    #expect(error?.reason == .tooDeep(limit: 19))
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[]", maximumDepth: 0) }
    let deep = String(repeating: "{\"a\":[", count: 500_000)
    #expect(throws: JSONError.self) { try JSONValue(parsing: deep, maximumDepth: .max) }
  }

  @Test("a value with text after it")
  func prefix() throws {
    let (value, length) = try JSONValue.parsePrefix(of: Array(" {\"a\": 1} and more".utf8))
    #expect(value == ["a": 1])
    #expect(length == 9)
    #expect(throws: JSONError.self) { try JSONValue(parsing: " {\"a\": 1} and more") }
  }

  @Test("large documents take linear time", .timeLimit(.minutes(10)))
  func large() throws {
    let count = 50_000
    let object = "{" + (0..<count).map { "\"key\($0)\":[\($0),[]]" }.joined(separator: ",") + "}"
    let value = try JSONValue(parsing: object)
    #expect(value["key\(count - 1)"]?[0] == .integer(count - 1))
    let digits = String(repeating: "9", count: 200_000)
    #expect(throws: JSONError.self) { try JSONValue(parsing: digits) }
    #expect(try JSONValue(parsing: "0." + digits) == 1.0)
    let text = String(repeating: "\\u00e9a", count: 20_000)
    #expect(try JSONValue(parsing: "\"\(text)\"").stringValue?.utf8.count == 60_000)
  }
}
