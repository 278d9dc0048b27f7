import JSON
import TestSupport
import Testing

/// JSON texts that were damaged on purpose.
@Suite("Fuzzing of the JSON parser")
struct JSONFuzzTests {
  private static let texts = [
    #"{"name": "get_weather", "arguments": {"city": "San Francisco", "days": [1, 2.5, -0, 1e-7], "ok": true}}"#,
    #"[[], {}, [[[{"a": [null, false]}]]], "\u00e9\ud83c\udf27\n\/\\\"", 0.1e+10, -9223372036854775808]"#,
    "{\"é\": 1, \"e\u{301}\": 2, \"\": {\"\": \"\"}}", "\"🌧️ 北京 \u{7F}\"", " \n\t123 ", "12345678901234567890.5E-300",
    #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"a":11}"#, "true", "null", "\"\"",
  ]

  private static let words = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83c", "\\udf27", "\\uDFFF", "null", "true", "false", "-", "+",
    ".", "e", "E", "00", "NaN", "Infinity", "//", "/*", "'", "\u{C}", "[[[[[[[[", "{\"a\":", "\u{0}",
  ]

  @Test("A damaged text is refused with its place, or parses, prints, and parses back as the same")
  func damagedTexts() throws {
    let mutator = TextMutator(Self.texts, words: Self.words)
    var outcomes: [String: Int] = [:]
    try FuzzRun("json", iterations: 2000).run { iteration in
      let bytes = mutator.mutated(iteration: iteration, seed: 3, maximumByteCount: 1 << 16)
      FuzzRun.show(String(decoding: bytes, as: UTF8.self).debugDescription)
      let surrogates: JSONValue.LoneSurrogates = iteration % 2 == 0 ? .refuse : .replace
      // What a strict parser takes, one that takes a beginning takes too, up to the same place.
      let prefix = try? JSONValue.parsePrefix(of: bytes, loneSurrogates: surrogates)
      switch Result(catching: { () throws(JSONError) in try JSONValue(parsing: bytes, loneSurrogates: surrogates) }) {
      case .success(let value):
        guard prefix?.value == value, let length = prefix?.length, bytes[length...].allSatisfy({ $0 <= 0x20 })
        else { throw FuzzFault("the beginning of the text parses as something else") }
        for style in [JSONStyle.compact, .spaced, .indented(2)] {
          guard (try? JSONValue(parsing: value.text(style))) == value else {
            throw FuzzFault("\(value) doesn't come back from its own text")
          }
        }
        outcomes["parsed", default: 0] += 1
      case .failure(let error):
        guard (0...bytes.count).contains(error.offset), !"\(error)".isEmpty else {
          throw FuzzFault("an error at \(error.offset) of \(bytes.count) bytes")
        }
        outcomes["refused", default: 0] += 1
      }
    }
    #expect(Set(outcomes.keys) == ["parsed", "refused"], "\(outcomes)")
    if outcomes.values.reduce(0, +) > 5000 { print("fuzzing json: \(outcomes)") }
  }
}
