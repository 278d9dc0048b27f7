import Arguments
import Grammar
import JSON
import Tokenizer

/// Whether the grammar of each schema accepts exactly its valid instances, in every white space form and tokenisation.
struct SchemasBench: BenchCommand {
  let command = Command(
    "schemas", "checks grammars of schemas against valid and invalid instances",
    options: [
      Option("vocab", value: "FILE", "a GGUF file with a tokenizer"),
      Option("cases", value: "FILE", "schemas with instances, a JSON object a line"),
      Option("verbose", short: "v", "lists each schema that isn't fully right, and each refusal with its reason"),
    ],
    discussion: """
      Each instance is written with ", " and ": ", compact, and indented, and is read by a grammar of that form whose \
      keys may come in any order: byte by byte, in the tokenizer's tokens, and in random tokens.
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let vocabulary = try SchemasVocabulary(path: try arguments.required("vocab"))
    let cases = try SchemasCase.read(try arguments.required("cases"))
    var tally = SchemasTally()
    for (index, item) in cases.enumerated() { tally.add(check(item, vocabulary, seed: UInt64(index))) }
    return tally.report(isVerbose: arguments.flag("verbose"))
  }

  private func check(_ item: SchemasCase, _ vocabulary: SchemasVocabulary, seed: UInt64) -> SchemasOutcome {
    var outcome = SchemasOutcome(id: item.id, isTool: item.isTool)
    var random = WalkGenerator(seed: seed)
    let instances = item.valid.map { ($0, true) } + item.invalid.map { ($0, false) }
    var rightInAll = Array(repeating: true, count: instances.count)
    for form in SchemasForm.all {
      let grammar: Grammar
      do {
        grammar = try Grammar.schema(item.schema, options: form.options)
      } catch {
        outcome.refusal = "\(error)"
        return outcome
      }
      let start = Matcher(grammar, vocabulary: vocabulary.vocabulary)
      for (index, (data, isValid)) in instances.enumerated() {
        let text = data.text(form.style)
        let readings = SchemasReading.all(text, start, vocabulary, &random)
        if readings.contains(where: { $0 != isValid }) {
          rightInAll[index] = false
          if outcome.example == nil { outcome.example = text }
        }
      }
    }
    for (index, (_, isValid)) in instances.enumerated() {
      if isValid {
        outcome.valid += 1
        if !rightInAll[index] { outcome.validRefused += 1 }
      } else {
        outcome.invalid += 1
        if !rightInAll[index] { outcome.invalidAccepted += 1 }
      }
    }
    return outcome
  }
}

/// A white space form, and how instances are written in it.
struct SchemasForm {
  let options: GrammarOptions
  let style: JSONStyle

  static let all = [
    SchemasForm(options: GrammarOptions(whitespace: .spaced, keyOrder: .any), style: .spaced),
    SchemasForm(options: GrammarOptions(whitespace: .compact, keyOrder: .any), style: .compact),
    SchemasForm(options: GrammarOptions(whitespace: .flexible(maximum: 64), keyOrder: .any), style: .indented(2)),
  ]
}

/// Reads a text in several tokenisations: whether each ends complete.
enum SchemasReading {
  static func all(
    _ text: String, _ start: Matcher, _ vocabulary: SchemasVocabulary, _ random: inout WalkGenerator
  ) -> [Bool] {
    [
      accepts(start, Array(text.utf8)), accepts(start, tokens: vocabulary.encode(text)),
      accepts(start, tokens: randomTokens(Array(text.utf8), vocabulary, &random)),
    ]
  }

  private static func accepts(_ start: Matcher, _ bytes: [UInt8]) -> Bool {
    var matcher = start
    return bytes.allSatisfy { matcher.accept(bytes: CollectionOfOne($0)) } && matcher.isComplete
  }

  private static func accepts(_ start: Matcher, tokens: [Int]) -> Bool {
    var matcher = start
    return tokens.allSatisfy { matcher.accept(token: $0) } && matcher.isComplete
  }

  /// Cuts at random places; each piece in the tokenizer's tokens.
  private static func randomTokens(
    _ bytes: [UInt8], _ vocabulary: SchemasVocabulary, _ random: inout WalkGenerator
  ) -> [Int] {
    var tokens: [Int] = []
    var place = 0
    while place < bytes.count {
      let length = min(bytes.count - place, Int.random(in: 1...8, using: &random))
      tokens += vocabulary.tokenizer.encode(bytes: Array(bytes[place..<place + length]))
      place += length
    }
    return tokens
  }
}
