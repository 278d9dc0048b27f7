import Grammar
import JSON
import Sampling

/// Collects times and counts over schemas.
struct MasksMeasurement {
  private let vocabulary: SchemasVocabulary
  private var refused = 0
  private var single = MasksTally()
  private var unions: [(name: String, field: String, tools: Int, tally: MasksTally)] = []

  init(_ vocabulary: SchemasVocabulary) {
    self.vocabulary = vocabulary
  }

  /// Builds what is built once a vocabulary.
  mutating func warmUp() {
    guard let grammar = try? Grammar.schema(["type": "string"]) else { return }
    var matcher = Matcher(grammar, vocabulary: vocabulary.vocabulary)
    if matcher.accept(bytes: [0x22]) { _ = matcher.mask() }
  }

  mutating func measure(_ item: SchemasCase) {
    let start = threadMicroseconds()
    guard let grammar = try? Grammar.schema(item.schema) else {
      refused += 1
      return
    }
    let matcher = Matcher(grammar, vocabulary: vocabulary.vocabulary)
    single.compile.append((threadMicroseconds() - start) / 1_000)
    for value in item.valid { read(value.spaced, matcher, &single) }
  }

  /// Tool calls `{"name": …, "arguments": …}` of `count` tools at a time.
  mutating func measureUnions(
    _ name: String, field: String, of count: Int, _ cases: [SchemasCase], _ options: GrammarOptions
  ) {
    let objects = cases.filter { $0.schema["type"] == "object" && $0.schema["properties"] != nil }
    var tally = MasksTally()
    for start in stride(from: 0, to: max(0, objects.count - count), by: count) {
      let group = Array(objects[start..<start + count].enumerated())
      let calls = group.map { index, item in
        GrammarExpression.sequence([
          .literal("{\"name\": \"tool_\(index)\", \"arguments\": "), .json(schema: item.schema), .literal("}"),
        ])
      }
      let begin = threadMicroseconds()
      guard let grammar = try? Grammar(.choice(calls), options: options) else { continue }
      let matcher = Matcher(grammar, vocabulary: vocabulary.vocabulary)
      tally.compile.append((threadMicroseconds() - begin) / 1_000)
      for (index, item) in group {
        guard let value = item.valid.first else { continue }
        read("{\"name\": \"tool_\(index)\", \"arguments\": \(value.spaced)}", matcher, &tally)
      }
    }
    unions.append((name, field, count, tally))
  }

  /// Reads the tokens of `text` as far as they are allowed, a mask before each.
  private func read(_ text: String, _ start: Matcher, _ tally: inout MasksTally) {
    var matcher = start
    let ids = vocabulary.encode(text)
    var reading = MasksReading(ids, vocabulary)
    for (place, id) in (ids + [vocabulary.endToken]).enumerated() {
      let begin = threadMicroseconds()
      let mask = matcher.mask()
      tally.masks.append(threadMicroseconds() - begin)
      guard mask.contains(id) else { break }
      if place < ids.count { reading.count(place, matcher, in: &tally) }
      guard matcher.accept(token: id) else { break }
    }
  }

  func report() -> BenchReport {
    var report = BenchReport(columns: ["", "n", "p50", "p95", "p99", "max"])
    func row(_ name: String, _ values: [Double], _ field: String) {
      let figures = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1)].map { ($0.0, quantile(values, $0.1)) }
      report.row([name, "\(values.count)"] + figures.map { fixed($0.1, 2) })
      report[field] = .object(JSONObject(figures.map { ($0.0, .double(rounded($0.1))) }))
    }
    row("compile ms", single.compile, "compile_ms")
    row("mask µs", single.masks, "mask_us")
    for union in unions {
      row("\(union.name): compile ms", union.tally.compile, "\(union.field)_compile_ms")
      row("\(union.name): mask µs", union.tally.masks, "\(union.field)_mask_us")
      if case .object(var figures)? = report["\(union.field)_compile_ms"] {
        figures["tools"] = .integer(union.tools)
        report["\(union.field)_compile_ms"] = .object(figures)
      }
    }
    add(single, "schemas", prefix: "", to: &report)
    for union in unions { add(union.tally, union.name, prefix: union.field + "_", to: &report) }
    let nonCanonical = unions.reduce(single.nonCanonical) { $0 + $1.tally.nonCanonical }
    report["schemas"] = .integer(single.compile.count + refused)
    report["refused"] = .integer(refused)
    report["non_canonical"] = .integer(nonCanonical)
    report.verdict = nonCanonical == 0
    return report
  }

  private func add(_ tally: MasksTally, _ name: String, prefix: String, to report: inout BenchReport) {
    func percent(_ part: Int) -> String { fixed(100 * tally.share(part)) + "%" }
    report.line(
      "\(name): \(tally.tokens) tokens, forced \(percent(tally.forced)) of at most \(percent(tally.certain)), guessed "
        + "rightly \(percent(tally.guessed)), wrongly \(percent(tally.misguessed)), "
        + "\(tally.nonCanonical) non-canonical")
    report["\(prefix)tokens"] = .integer(tally.tokens)
    report["\(prefix)forced_share"] = .double(rounded(tally.share(tally.forced)))
    report["\(prefix)forced_limit"] = .double(rounded(tally.share(tally.certain)))
    report["\(prefix)guessed_share"] = .double(rounded(tally.share(tally.guessed)))
    report["\(prefix)misguessed_share"] = .double(rounded(tally.share(tally.misguessed)))
  }

  private func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}
