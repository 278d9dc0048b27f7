import Arguments
import JSON
import RunAnywhere
import Tools

/// Measures what a grammar costs and saves: the rate under a schema beside the free rate, and a whole tool call beside
/// the same call without forced tokens and with the whole output head.
struct ConstrainedBench: BenchCommand {
  let measuresSpeed = true
  let command = Command(
    "constrained", "measures decoding under a grammar beside free decoding",
    options: [
      Option("model", short: "m", value: "FILE", "a GGUF file"),
      Option("threads", short: "t", value: "N", "worker threads (as many as the process may use)"),
      Option("generate", short: "n", value: "N", "tokens of a free answer (96)"),
      Option("runs", value: "N", "runs, of which the median counts (5)"),
      Option("masks-before", "makes masks before the model's pass instead of beside it"),
      Option("head", "also the time of a token with some rows of the output head only"),
    ],
    discussion: """
      Rates are generated tokens a second, drafts off. The time of a call is the whole of it with the prompt in the cache. \
      The verdict: every schema keeps 95 % of the free rate, and every call takes at most 0.6 of the plain one's time.
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let path = try arguments.required("model")
    let threads = try arguments.integer("threads", in: 1...1024)
    let runs = try arguments.integer("runs", in: 1...100) ?? 5
    var settings = EngineSettings()
    settings.draftLength = 0
    settings.masksBeside = !arguments.flag("masks-before")
    let plan = ConstrainedPlan(tokens: try arguments.integer("generate", in: 8...100_000) ?? 96)
    let fast = LanguageModel(
      engine: try Engine(path: path, contextLength: plan.positions, threads: threads, settings: settings))
    let plain = LanguageModel(
      engine: try Engine(path: path, contextLength: plan.positions, threads: threads, settings: .plain))

    var report = BenchReport(columns: ["what", "tokens", "forced", "fast", "plain or free", "ratio"])
    try await rates(fast, plan, runs: runs, &report)
    try await calls(fast, plain, plan, runs: runs, &report)
    if arguments.flag("head") { try HeadRows(path: path, threads: threads).measure(into: &report) }
    report["runs"] = .integer(runs)
    report["masks_beside"] = .boolean(settings.masksBeside)
    return report
  }

  private func rates(
    _ model: LanguageModel, _ plan: ConstrainedPlan, runs: Int, _ report: inout BenchReport
  ) async throws {
    var free: [Double] = []
    var held: [String: [ConstrainedSample]] = [:]
    for run in 0...runs {
      let sample = try await plan.answer(model, schema: nil)
      // The first run warms up.
      if run > 0 { free.append(sample.rate) }
      for schema in plan.schemas {
        let sample = try await plan.answer(model, schema: schema.schema)
        if run > 0 { held[schema.name, default: []].append(sample) }
      }
    }
    report["free_tps"] = .double(median(free))
    var worst = Double.infinity
    for schema in plan.schemas {
      let samples = held[schema.name] ?? []
      let rate = median(samples.map(\.rate))
      let ratio = rate / median(free)
      worst = min(worst, ratio)
      report.row(
        "\(schema.name), tokens/s", "\(samples.first?.usage.generatedTokens ?? 0)",
        "\(samples.first?.usage.forcedTokens ?? 0)", fixed(rate), fixed(median(free)), fixed(ratio, 3))
      report["\(schema.name)_tps"] = .double(rate)
      report["\(schema.name)_ratio"] = .double(ratio)
    }
    report["rate_ratio"] = .double(worst)
    if worst < 0.95 { report.verdict = false }
  }

  private func calls(
    _ fast: LanguageModel, _ plain: LanguageModel, _ plan: ConstrainedPlan, runs: Int, _ report: inout BenchReport
  ) async throws {
    var worst = 0.0
    for count in [1, 3] {
      var own: [ConstrainedSample] = []
      var other: [ConstrainedSample] = []
      for run in 0...runs {
        let samples = try await (plan.call(fast, tools: count), plan.call(plain, tools: count))
        if run > 0 {
          own.append(samples.0)
          other.append(samples.1)
        }
      }
      let (seconds, plainSeconds) = (median(own.map(\.seconds)), median(other.map(\.seconds)))
      let ratio = seconds / plainSeconds
      worst = max(worst, ratio)
      let usage = own[0].usage
      report.row(
        "call, \(count) tool\(count > 1 ? "s" : ""), ms",
        "\(usage.generatedTokens) (\(other[0].usage.generatedTokens))",
        "\(usage.forcedTokens)", fixed(seconds * 1000), fixed(plainSeconds * 1000), fixed(ratio, 3))
      report["call_\(count)_ms"] = .double(seconds * 1000)
      report["call_\(count)_plain_ms"] = .double(plainSeconds * 1000)
      report["call_\(count)_ratio"] = .double(ratio)
      report["call_\(count)_forced_share"] = .double(Double(usage.forcedTokens) / Double(usage.generatedTokens))
      report.line("\(own[0].text)   \(own[0].text == other[0].text ? "both" : "plain: \(other[0].text)")")
    }
    report["call_ratio"] = .double(worst)
    if worst > 0.6 { report.verdict = false }
  }
}
