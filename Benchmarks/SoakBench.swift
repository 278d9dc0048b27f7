import Arguments
import Foundation
import RunAnywhere

/// Many short generations in one process: memory has to stay as it was.
struct SoakBench: BenchCommand {
  let command = Command(
    "soak", "many short generations one after the other; memory has to stay flat",
    options: [
      Option("model", short: "m", value: "FILE", "the GGUF file"),
      Option("count", short: "n", value: "N", "generations (2000)"),
      Option("warm", value: "N", "generations before memory is looked at first (200)"),
      Option("tokens", value: "N", "tokens of each (8)"),
      Option("threads", short: "t", value: "N", "worker threads (as many as this process may use)"),
    ],
    discussion: """
      Plain answers, streams that are left, answers under a schema, calls of tools and cancelled requests take turns. The
      verdict is whether resident memory at the end is at most 3 % above that after the warm-up.
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let path = try arguments.required("model")
    let count = try arguments.integer("count", in: 2...10_000_000) ?? 2000
    let warm = try arguments.integer("warm", in: 1...count - 1) ?? min(200, count / 2)
    let tokens = try arguments.integer("tokens", in: 1...100_000) ?? 8
    let model = try await LanguageModel(path: path, threads: try arguments.integer("threads", in: 1...1024))
    var report = BenchReport(columns: ["generations", "resident MB", "private MB", "s"])
    var first: Double?
    var last = 0.0
    let clock = ContinuousClock()
    let start = clock.now
    for round in 1...count {
      try await Self.generate(model, round, tokens: tokens)
      if round == warm || round == count || round % max(count / 10, 1) == 0 {
        last = Machine.residentMegabytes ?? 0
        if round >= warm, first == nil { first = last }
        report.row(
          "\(round)", fixed(last, 1), fixed(Machine.privateMegabytes ?? 0, 1), fixed((clock.now - start).seconds, 1))
      }
    }
    let growth = first.map { $0 > 0 ? last / $0 - 1 : 0 } ?? 0
    report["generations"] = .integer(count)
    report["resident_mb_warm"] = .double(first ?? 0)
    report["resident_mb_end"] = .double(last)
    report["growth"] = .double(growth)
    report.line("growth from \(warm) to \(count) generations: \(fixed(growth * 100, 2)) %")
    report.verdict = growth <= 0.03
    return report
  }

  private static let tool = Tool(
    ToolDefinition(
      name: "get_weather", description: "Get current weather for a city",
      parameters: [ToolParameter(name: "city", type: .string, description: "City name")])
  ) { _ in ["temperature": 21] }

  /// One generation; five kinds take turns, with other texts each time.
  private static func generate(_ model: LanguageModel, _ round: Int, tokens: Int) async throws {
    let options = LLMGenerationOptions(maxTokens: tokens, temperature: 0)
    let prompt = "Question \(round % 97): what is \(round) plus \(round * 7 % 101)?"
    switch round % 5 {
    case 0: _ = try await model.respond(to: prompt, options: options)
    case 1:
      for try await _ in model.streamResponse(to: prompt, options: options).stream { break }
    case 2:
      _ = try await model.respond(
        to: prompt, generating: JSONSchema(["type": "integer", "maximum": .integer(1000 + round % 7)]), options: options
      )
    case 3:
      _ = try await model.respond(
        to: prompt, tools: [tool],
        options: ToolCallingOptions(maxToolCalls: 1, temperature: 0, maxTokens: tokens * 3, toolChoice: .required))
    default:
      let task = Task { try await model.respond(to: prompt, options: options) }
      try await Task.sleep(for: .milliseconds(round % 7))
      task.cancel()
      _ = try? await task.value
    }
  }
}
