import Arguments
import Grammar
import JSON
import Sampling

/// Random walks under the mask: each has to end, parse as strict JSON, and satisfy its schema.
struct WalkBench: BenchCommand {
  let command = Command(
    "walk", "walks at random under the masks and checks what comes out",
    options: [
      Option("vocab", value: "FILE", "a GGUF file with a tokenizer"),
      Option("cases", value: "FILE", "schemas, a JSON object a line"),
      Option("seeds", value: "N", "walks a schema (20)"),
      Option("states", value: "N", "compare so many masks with brute force over the vocabulary (0)"),
      Option("output", short: "o", value: "FILE", "write what was walked, a line a text: {\"id\", \"data\"}"),
    ],
    discussion: """
      A walk picks among the allowed tokens at random; after some tokens it takes the shortest completion, as a caller \
      does whose budget is used up. The results are checked by a validator that knows nothing of the automaton, and read \
      once more in the tokenizer's tokens, which have to be those that are forced on the way.
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let vocabPath = try arguments.required("vocab")
    let cases = try SchemasCase.read(try arguments.required("cases"))
    let seeds = try arguments.integer("seeds", in: 1...1_000_000) ?? 20
    let states = try arguments.integer("states", in: 0...1_000_000) ?? 0
    let tally = try await WalkTally.all(cases, SchemasVocabulary(path: vocabPath), seeds: seeds, states: states)
    var report = BenchReport(columns: ["schemas", "walks", "ended", "valid", "masks compared", "masks wrong"])
    for line in tally.lines.prefix(200) { report.line(line) }
    let counts = [
      ("schemas", tally.schemas), ("walks", tally.walks), ("ended", tally.ended), ("valid", tally.valid),
      ("masks_compared", tally.compared), ("masks_wrong", tally.wrong), ("tokens", tally.tokens.tokens),
      ("forced", tally.tokens.forced), ("non_canonical", tally.tokens.nonCanonical),
    ]
    report.row(counts.prefix(6).map { String($0.1) })
    for (field, count) in counts { report[field] = .integer(count) }
    let percent = fixed(100 * tally.tokens.share(tally.tokens.forced))
    report.line(
      "forced: \(percent)% of \(tally.tokens.tokens) tokens, \(tally.tokens.nonCanonical) non-canonical")
    if let path = arguments.string("output") { try WalkTally.write(tally.texts, to: path) }
    report.verdict =
      tally.ended == tally.walks && tally.valid == tally.walks && tally.wrong == 0 && tally.tokens.nonCanonical == 0
    return report
  }
}

/// Every form of text gets its share of the schemas.
enum WalkOptions {
  static func options(_ index: Int) -> GrammarOptions {
    let forms: [GrammarOptions.Whitespace] = [.spaced, .compact, .flexible(maximum: 3)]
    return GrammarOptions(whitespace: forms[index % 3], keyOrder: index % 2 == 0 ? .declared : .any)
  }
}
