import Grammar
import JSON
import TestSupport
import Testing

@Suite struct ValidatorTests {
  @Test func namesWhatIsWrong() throws {
    let validator = SchemaValidator(ObjectTests.four)
    #expect(validator.firstError(["a": 1, "c": 2]) == nil)
    #expect(validator.firstError(["a": 1])?.contains("\"c\"") ?? false)
    #expect(validator.firstError(["a": 1, "c": 2, "zzz": 3])?.contains("zzz") ?? false)
    #expect(validator.firstError(["a": .null, "c": 2])?.hasPrefix("#/a") ?? false)
  }

  /// The verdicts of JSON Schema's own suite.
  @Test(.enabled(if: SharedData.isPresent, "needs ../shared"))
  func agreesWithTheSuite() throws {
    var wrong: [String] = []
    for line in try SharedData.lines("data/grammar/jsts.jsonl") {
      let item = try JSONValue(parsing: line)
      guard let schema = item["schema"], let data = item["data"], let id = item["id"]?.stringValue else { continue }
      // `format` as an annotation, and what is refused anyway.
      if id.hasPrefix("format/") || id.contains("idn-hostname") || id.contains("ecmascript-regex") { continue }
      if SchemaValidator(schema).isValid(data) != (item["valid"] == .boolean(true)) { wrong.append(id) }
    }
    #expect(wrong.count < 30, "\(wrong)")
  }
}
