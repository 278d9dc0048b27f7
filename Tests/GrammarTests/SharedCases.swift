import Grammar
import JSON
import TestSupport

/// A part of the shared schema cases, read byte by byte.
struct SharedCases {
  var schemas = 0
  var valid = 0
  var refused: [String] = []
  var validRefused: [String] = []
  var invalidAccepted: [String] = []

  static func check(every step: Int) throws -> SharedCases {
    var tally = SharedCases()
    for (index, line) in try SharedData.lines("data/grammar/cases.jsonl").enumerated() where index % step == 0 {
      let item = try JSONValue(parsing: line, maximumDepth: 1_000)
      guard let schema = item["schema"] else { continue }
      let id = item["id"]?.stringValue ?? "\(index)"
      tally.schemas += 1
      let grammar: Grammar
      do {
        grammar = try Grammar.schema(schema, options: GrammarOptions(whitespace: .spaced, keyOrder: .any))
      } catch {
        tally.refused.append("\(id): \(error)")
        continue
      }
      let start = Matcher(grammar, vocabulary: GrammarFixture.vocabulary)
      for (field, isValid) in [("valid", true), ("invalid", false)] {
        for value in item[field]?.arrayValue ?? [] {
          var matcher = start
          let accepted = matcher.accept(bytes: value.spaced.utf8) && matcher.isComplete
          if isValid { tally.valid += 1 }
          if isValid, !accepted { tally.validRefused.append(id) }
          if !isValid, accepted { tally.invalidAccepted.append("\(id): \(value.spaced)") }
        }
      }
    }
    return tally
  }
}
