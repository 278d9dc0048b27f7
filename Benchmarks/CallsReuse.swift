import JSON
import RunAnywhere
import Tools

/// What is prefilled, and how long it takes, over two rounds with tools and a second question.
struct CallsReuse {
  let path: String
  let threads: Int?

  private static let tools = [
    Tool(
      ToolDefinition(
        name: "get_weather", description: "Get current weather for a city",
        parameters: [ToolParameter(name: "city", type: .string, description: "City name")])
    ) { _ in [:] },
    Tool(
      ToolDefinition(
        name: "calculate", description: "Evaluate a mathematical expression and return the numeric result",
        parameters: [
          ToolParameter(name: "expression", type: .string, description: "Math expression (e.g. '2 + 3 * 4')")
        ])
    ) { _ in [:] },
    Tool(
      ToolDefinition(name: "get_current_time", description: "Get the current date and time", parameters: [])
    ) { _ in [:] },
  ]

  func report() async throws -> BenchReport {
    var report = BenchReport(columns: ["step", "prompt", "cached", "prefilled", "generated", "forced", "ttft s", "s"])
    let options = ToolCallingOptions(autoExecute: false, temperature: 0, maxTokens: 200, toolChoice: .required)
    let clock = ContinuousClock()

    func measure(
      _ name: String, _ body: () async throws -> ToolCallingResult
    ) async throws -> ToolCallingResult {
      let start = clock.now
      let result = try await body()
      let seconds = (clock.now - start).seconds
      let usage = result.usage
      report.row(
        name, "\(usage.promptTokens)", "\(usage.cachedTokens)", "\(usage.prefilledTokens)",
        "\(usage.generatedTokens)", "\(usage.forcedTokens)", fixed(result.timings.timeToFirstToken, 3),
        fixed(seconds, 3))
      let field = name.split(separator: " ").joined(separator: "_")
      report["\(field)_prefilled"] = .integer(usage.prefilledTokens)
      report["\(field)_ttft_s"] = .double(result.timings.timeToFirstToken)
      report["\(field)_s"] = .double(seconds)
      return result
    }

    let model = try await LanguageModel(path: path, threads: threads)
    let question = "What's the weather in San Francisco?"
    let first = try await measure("first call") {
      try await model.respond(to: question, tools: CallsReuse.tools, options: options)
    }
    let results = first.pendingCalls.map { ToolResult.success(["temperature": 72, "condition": "sunny"], of: $0) }
    let answer = try await measure("answer") {
      try await model.respond(with: results, after: first, tools: CallsReuse.tools, options: options)
    }
    var next = options
    next.history = answer.transcript
    _ = try await measure("second question") {
      try await model.respond(to: "And in Paris?", tools: CallsReuse.tools, options: next)
    }
    _ = try await measure("warm call") {
      try await model.respond(to: "Is it raining in Oslo?", tools: CallsReuse.tools, options: options)
    }
    let fresh = try await LanguageModel(path: path, threads: threads)
    _ = try await measure("second question without reuse") {
      try await fresh.respond(to: "And in Paris?", tools: CallsReuse.tools, options: next)
    }
    report.line("calls: \(first.toolCalls); answer: \(answer.text)")
    return report
  }
}
