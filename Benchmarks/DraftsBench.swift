import Arguments
import JSON
import RunAnywhere
import Tools

/// Measures what drafts copied from earlier text win where an answer repeats its prompt, and cost where it doesn't.
struct DraftsBench: BenchCommand {
  let measuresSpeed = true
  let command = Command(
    "drafts", "measures decoding with prompt-lookup drafts beside decoding without",
    options: [
      Option("model", short: "m", value: "FILE", "a GGUF file"),
      Option("threads", short: "t", value: "N", "worker threads (as many as the process may use)"),
      Option("generate", short: "n", value: "N", "tokens of an answer (160)"),
      Option("drafts", value: "N", "most tokens of a draft (the engine's default)"),
      Option("runs", value: "N", "runs, of which the median counts (3)"),
      Option("texts", value: "NAME,…", "which texts: copy, code, free, drawn (all)"),
    ],
    discussion: """
      The verdict: the answers are the same, and free text loses no more than 1 %.
      """)

  private struct Task {
    let name: String
    let prompt: String
    let copies: Bool
    var temperature = 0.0
  }

  private static let passage = """
    The printing house stood at the corner of the square, two steps above the street. Every morning at six the master \
    opened the shutters, lit the stove and counted the sheets of paper that were left from the day before. At seven the \
    apprentices came, washed their hands in the stone basin and set the first lines of the new page, letter by letter, \
    until the frame was full and could be locked. Nobody spoke before the first sheet had been pulled.
    """

  private static let tasks = [
    Task(
      name: "copy", prompt: "Repeat this text exactly, but write 'evening' instead of 'morning':\n\n\(passage)",
      copies: true),
    Task(
      name: "code",
      prompt: """
        Rewrite this code with the variable total renamed to sum. Print only the code.

        def average(values):
            total = 0
            count = 0
            for value in values:
                if value is not None:
                    total = total + value
                    count = count + 1
            if count == 0:
                return 0
            return total / count
        """, copies: true),
    Task(name: "free", prompt: "Tell a long story of a fox who learns to print books.", copies: false),
    Task(
      name: "drawn", prompt: "Tell a long story of a fox who learns to print books.", copies: false, temperature: 0.8),
  ]

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let path = try arguments.required("model")
    let threads = try arguments.integer("threads", in: 1...1024)
    let tokens = try arguments.integer("generate", in: 8...100_000) ?? 160
    let runs = try arguments.integer("runs", in: 1...100) ?? 3
    let length = try arguments.integer("drafts", in: 1...64) ?? EngineSettings().draftLength
    func model(_ length: Int) throws -> LanguageModel {
      var settings = EngineSettings()
      settings.draftLength = length
      return LanguageModel(
        engine: try Engine(path: path, contextLength: tokens + 1024, threads: threads, settings: settings))
    }
    let (drafted, plain) = (try model(length), try model(0))
    var report = BenchReport(columns: ["text", "tokens", "drafted", "copied", "with, t/s", "without, t/s", "ratio"])
    let names = arguments.string("texts")?.split(separator: ",").map(String.init)
    for task in Self.tasks where names?.contains(task.name) ?? true {
      var rates: (with: [Double], without: [Double]) = ([], [])
      var usage = TokenUsage()
      var isSame = true
      for run in 0...runs {
        let options = LLMGenerationOptions(maxTokens: tokens, temperature: task.temperature, seed: UInt64(run))
        let with = try await drafted.respond(to: task.prompt, options: options)
        let without = try await plain.respond(to: task.prompt, options: options)
        if with.text != without.text {
          isSame = false
          report.line("\(task.name), run \(run): with drafts \(with.text.debugDescription)")
          report.line("  without \(without.text.debugDescription)")
        }
        // The first run warms up.
        guard run > 0 else { continue }
        usage = with.usage
        rates.with.append(with.tokensPerSecond)
        rates.without.append(without.tokensPerSecond)
      }
      let ratio = median(zip(rates.with, rates.without).map { $0 / $1 })
      report.row(
        task.name, "\(usage.generatedTokens)", "\(usage.draftedTokens)", "\(usage.copiedTokens)",
        fixed(median(rates.with)), fixed(median(rates.without)), fixed(ratio, 3))
      report["\(task.name)_ratio"] = .double(ratio)
      report["\(task.name)_same"] = .boolean(isSame)
      report["\(task.name)_copied"] = .double(Double(usage.copiedTokens) / Double(max(1, usage.generatedTokens)))
      if !isSame || (!task.copies && ratio < 0.99) { report.verdict = false }
    }
    report["drafts"] = .integer(length)
    return report
  }
}
