import JSON
import TestSupport
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  @Test("the three layouts")
  func layouts() {
    let value: JSONValue = ["b": [1, 2.5, "é\n\u{7F}"], "a": [:], "c": [], "": .null]
    #expect(value.compact == "{\"b\":[1,2.5,\"é\\n\u{7F}\"],\"a\":{},\"c\":[],\"\":null}")
    #expect(value.spaced == "{\"b\": [1, 2.5, \"é\\n\u{7F}\"], \"a\": {}, \"c\": [], \"\": null}")
    #expect(
      value.text(.indented(1))
        == "{\n \"b\": [\n  1,\n  2.5,\n  \"é\\n\u{7F}\"\n ],\n \"a\": {},\n \"c\": [],\n \"\": null\n}")
    #expect(value.text(JSONStyle(indent: "")).hasPrefix("{\n\"b\": [\n1, \n2.5"))
  }

  @Test("escapes and order")
  func escapes() {
    let style = JSONStyle(escapesNonASCII: true, sortsKeys: true)
    let value: JSONValue = ["é": "🦙\u{7F}\u{1}\"\\/\u{8}\u{C}\r\t", "a": true]
    #expect(value.text(style) == #"{"a": true, "\u00e9": "\ud83e\udd99\u007f\u0001\"\\/\b\f\r\t"}"#)
    #expect(JSONValue.string("\u{1F}\u{2028}").spaced == "\"\\u001f\u{2028}\"")
  }

  @Test(
    "floating-point numbers as Python prints them",
    arguments: [
      (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-1.5, "-1.5"), (100, "100.0"), (0.1, "0.1"), (0.0001, "0.0001"),
      (0.00001, "1e-05"), (0.000123, "0.000123"), (1.5e-7, "1.5e-07"), (1e15, "1000000000000000.0"), (1e16, "1e+16"),
      (9_007_199_254_740_992, "9007199254740992.0"), (12_345_678_901_234_568, "1.2345678901234568e+16"),
      (123456.789, "123456.789"), (1e100, "1e+100"), (1.25e-300, "1.25e-300"), (.leastNonzeroMagnitude, "5e-324"),
      (1.7976931348623157e308, "1.7976931348623157e+308"), (2.5e20, "2.5e+20"), (1e22, "1e+22"),
      (.infinity, "null"), (.nan, "null"),
    ])
  func floats(value: Double, text: String) {
    #expect(JSONValue.double(value).spaced == text)
  }

  @Test("parse after print gives the value back", arguments: 0..<300 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var values = RandomJSON(seed: seed)
    let value = values.next()
    let indent = String(repeating: " ", count: Int(seed % 4))
    for style in [.compact, .spaced, JSONStyle(indent: indent), JSONStyle(escapesNonASCII: true, sortsKeys: true)] {
      let text = value.text(style)
      #expect(try JSONValue(parsing: text) == value, "seed \(seed): \(text)")
    }
  }

  @Test("Fuzz: damaged text never traps, and what still parses prints and parses again")
  func fuzz() throws {
    try FuzzRun("json", iterations: 300).run { seed in
      var values = RandomJSON(seed: seed)
      var bytes = Array(values.next().text(JSONStyle(escapesNonASCII: seed % 3 == 0)).utf8)
      for _ in 0..<Int.random(in: 1...12, using: &values.generator) {
        let place = Int.random(in: 0...bytes.count, using: &values.generator)
        let byte = Self.bytes.randomElement(using: &values.generator) ?? 0
        switch Int.random(in: 0..<3, using: &values.generator) {
        case 0 where place < bytes.count: bytes[place] = byte
        case 1 where place < bytes.count: bytes.remove(at: place)
        default: bytes.insert(byte, at: place)
        }
        if let value = try? JSONValue(parsing: bytes, loneSurrogates: seed % 2 == 0 ? .refuse : .replace) {
          #expect((try? JSONValue(parsing: value.spaced)) == value, "seed \(seed)")
        }
        if let prefix = try? JSONValue.parsePrefix(of: bytes) {
          let whole = try? JSONValue(parsing: Array(bytes[..<prefix.length]))
          #expect(whole == prefix.value, "seed \(seed)")
        }
      }
    }
  }

  /// Those that mean something to a parser, and some that aren't ASCII.
  private static let bytes =
    Array("{}[]:,\"\\u0123456789abcdefDdEe+-.tnfl \n\t/\0".utf8) + [0x1F, 0x7F, 0x80, 0xC2, 0xED, 0xF0, 0xFF]
}
