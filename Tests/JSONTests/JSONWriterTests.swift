import JSON
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

  @Test("damaged text never traps", arguments: 0..<200 as Range<UInt64>)
  func damage(seed: UInt64) {
    var values = RandomJSON(seed: seed)
    var bytes = Array(values.next().spaced.utf8)
    for _ in 0..<40 {
      let place = Int.random(in: 0...bytes.count, using: &values.generator)
      let byte = UInt8.random(in: 0...255, using: &values.generator)
      switch Int.random(in: 0..<3, using: &values.generator) {
      case 0 where place < bytes.count: bytes[place] = byte
      case 1 where place < bytes.count: bytes.remove(at: place)
      default: bytes.insert(byte, at: place)
      }
      // What still parses must print and parse to the same value.
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      #expect((try? JSONValue(parsing: value.spaced)) == value, "seed \(seed)")
    }
  }
}
