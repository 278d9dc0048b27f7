import Grammar
import JSON
import Sampling
import Tokenizer

/// Collects times and counts over schemas.
struct MasksMeasurement {
  private let vocabulary: SchemasVocabulary
  private var compile: [Double] = []
  private var refused = 0
  private var masks: [Double] = []
  private var tokens = 0
  private var forced = 0
  private var nonCanonical = 0
  private var unionCompile: [Double] = []
  private var unionMasks: [Double] = []
  private var unionTokens = 0
  private var unionForced = 0

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
    compile.append((threadMicroseconds() - start) / 1_000)
    for value in item.valid {
      let walk = walk(matcher, value.spaced)
      masks += walk.masks
      tokens += walk.tokens
      forced += walk.forced
      nonCanonical += walk.nonCanonical
    }
  }

  /// Tool calls `{"name": …, "arguments": …}` of `count` tools at a time.
  mutating func measureUnions(of count: Int, _ cases: [SchemasCase]) {
    let objects = cases.filter { $0.schema["type"] == "object" && $0.schema["properties"] != nil }
    for start in stride(from: 0, to: max(0, objects.count - count), by: count) {
      let group = Array(objects[start..<start + count].enumerated())
      let calls = group.map { index, item in
        GrammarExpression.sequence([
          .literal("{\"name\": \"tool_\(index)\", \"arguments\": "), .json(schema: item.schema), .literal("}"),
        ])
      }
      let begin = threadMicroseconds()
      guard let grammar = try? Grammar(.choice(calls)) else { continue }
      let matcher = Matcher(grammar, vocabulary: vocabulary.vocabulary)
      unionCompile.append((threadMicroseconds() - begin) / 1_000)
      for (index, item) in group {
        guard let value = item.valid.first else { continue }
        let walk = walk(matcher, "{\"name\": \"tool_\(index)\", \"arguments\": \(value.spaced)}")
        unionMasks += walk.masks
        unionTokens += walk.tokens
        unionForced += walk.forced
        nonCanonical += walk.nonCanonical
      }
    }
  }

  private struct Walk {
    var masks: [Double] = []
    var tokens = 0
    var forced = 0
    var nonCanonical = 0
  }

  /// Reads the tokens of `text` as far as they are allowed, a mask before each.
  private func walk(_ start: Matcher, _ text: String) -> Walk {
    var walk = Walk()
    var matcher = start
    let ids = vocabulary.encode(text)
    var certain = 0
    for (place, id) in (ids + [vocabulary.endToken]).enumerated() {
      let begin = threadMicroseconds()
      let mask = matcher.mask()
      walk.masks.append(threadMicroseconds() - begin)
      guard mask.contains(id) else { break }
      walk.tokens += 1
      if certain == 0, place < ids.count {
        let forced = matcher.forcedTokens(after: Array(ids[..<place])) { vocabulary.tokenizer.encode(bytes: $0) }
        let rest = ids[place...]
        let isSame = rest.starts(with: forced)
        let bytes = forced.flatMap { vocabulary.vocabulary.bytes(of: $0) }
        if isSame {
          certain = forced.count
        } else if rest.lazy.flatMap({ vocabulary.vocabulary.bytes(of: $0) }).starts(with: bytes) {
          // The same text in other tokens. (Another text means that this instance is about to be refused.)
          walk.nonCanonical += 1
        }
      }
      if certain > 0 {
        certain -= 1
        walk.forced += 1
      }
      guard matcher.accept(token: id) else { break }
    }
    return walk
  }

  func report(tools: Int) -> BenchReport {
    var report = BenchReport(columns: ["", "n", "p50", "p95", "p99", "max"])
    func row(_ name: String, _ values: [Double], _ field: String) {
      let figures = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1)].map { ($0.0, quantile(values, $0.1)) }
      report.row([name, "\(values.count)"] + figures.map { fixed($0.1, 2) })
      report[field] = .object(JSONObject(figures.map { ($0.0, .double(rounded($0.1))) }))
    }
    row("compile ms", compile, "compile_ms")
    row("mask µs", masks, "mask_us")
    if tools > 0 {
      row("union compile ms", unionCompile, "union_compile_ms")
      row("union mask µs", unionMasks, "union_mask_us")
      if case .object(var figures)? = report["union_compile_ms"] {
        figures["tools"] = .integer(tools)
        report["union_compile_ms"] = .object(figures)
      }
      report["union_forced_share"] = .double(rounded(share(unionForced, unionTokens)))
      report.line("forced in unions: \(fixed(100 * share(unionForced, unionTokens)))% of \(unionTokens) tokens")
    }
    report.line("forced: \(fixed(100 * share(forced, tokens)))% of \(tokens) tokens, \(nonCanonical) non-canonical")
    report["schemas"] = .integer(compile.count + refused)
    report["refused"] = .integer(refused)
    report["forced_share"] = .double(rounded(share(forced, tokens)))
    report["non_canonical"] = .integer(nonCanonical)
    report.verdict = nonCanonical == 0
    return report
  }

  private func share(_ part: Int, _ whole: Int) -> Double { Double(part) / Double(max(1, whole)) }

  private func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}
