import Arguments
import Grammar
import JSON

/// What constrained decoding costs: compiling, one mask a token, and how many tokens need no model at all.
struct MasksBench: BenchCommand {
  let command = Command(
    "masks", "measures grammars: compile and mask times, forced tokens",
    options: [
      Option("vocab", value: "FILE", "a GGUF file with a tokenizer"),
      Option("cases", value: "FILE", "schemas with valid instances, a JSON object a line"),
      Option("limit", value: "N", "schemas to measure, spread over the file (120)"),
      Option(
        "tools", value: "N", "also compile unions of N tools: of the object schemas, and of the tool-like sources"),
      Option("peer", value: "CMD", "a command that prints the same figures; {vocab}, {cases}, {tools} are filled in"),
    ],
    discussion: """
      Valid instances are read with one mask a token, in processor time of one thread. A token is forced when the \
      grammar names it before the model is asked; it is non-canonical when the tokenizer would have written the \
      finished text with another one. A guess is the token behind the forced ones that nearly every continuation has; a \
      caller runs it in the same batch and keeps it when the model agrees. Unions of tool-like sources have the options \
      of tool calls: objects hold nothing but their declared properties.
      """)
  let measuresSpeed = true

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let vocabPath = try arguments.required("vocab")
    let casesPath = try arguments.required("cases")
    let limit = try arguments.integer("limit", in: 1...1_000_000) ?? 120
    let tools = try arguments.integer("tools", in: 1...1_000) ?? 0
    let vocabulary = try SchemasVocabulary(path: vocabPath)
    let all = try SchemasCase.read(casesPath)
    let stride = max(1, all.count / limit)
    let cases = all.enumerated().filter { $0.offset % stride == 0 }.prefix(limit).map(\.element)

    var measurement = MasksMeasurement(vocabulary)
    measurement.warmUp()
    for item in cases { measurement.measure(item) }
    if tools > 0 {
      measurement.measureUnions("unions", field: "union", of: tools, cases, GrammarOptions())
      var closed = GrammarOptions()
      closed.closesObjects = true
      measurement.measureUnions("tool unions", field: "tool_union", of: tools, all.filter(\.isTool), closed)
    }
    var report = measurement.report()
    if let command = arguments.string("peer") {
      let peer = try MasksPeer.run(command, vocab: vocabPath, cases: casesPath, tools: tools)
      MasksPeer.add(peer, to: &report)
    }
    return report
  }
}
