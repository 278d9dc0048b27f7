import JSON
import RunAnywhere
import Tools

/// What is prefilled, and how long it takes, over two rounds with tools and a second question; beside another engine if
/// there is one.
struct CallsReuse {
  let path: String
  let threads: Int?
  /// A command that measures another engine; see ``PeerCommand``.
  var peer: String?

  static let tools = [
    Tool(
      ToolDefinition(
        name: "get_weather", description: "Get current weather for a city",
        parameters: [ToolParameter(name: "city", type: .string, description: "City name")])
    ) { _ in ["temperature": 72, "condition": "sunny"] },
    Tool(
      ToolDefinition(
        name: "calculate", description: "Evaluate a mathematical expression and return the numeric result",
        parameters: [
          ToolParameter(name: "expression", type: .string, description: "Math expression (e.g. '2 + 3 * 4')")
        ])
    ) { _ in ["result": 7] },
    Tool(
      ToolDefinition(name: "get_current_time", description: "Get the current date and time", parameters: [])
    ) { _ in ["time": "12:00"] },
  ]

  /// A request before the measured ones, so that they don't pay for what a model makes once; it shares no prefix.
  private static let otherTools = [
    Tool(ToolDefinition(name: "play_song", description: "Play a song", parameters: [])) { _ in [:] },
    Tool(ToolDefinition(name: "stop_song", description: "Stop the song", parameters: [])) { _ in [:] },
  ]

  private struct Step {
    let result: ToolCallingResult
    let seconds: Double
  }

  func report() async throws -> BenchReport {
    var report = BenchReport(columns: [
      "step", "prompt", "cached", "prefilled", "weighed", "generated", "forced", "ttft s", "s",
    ])
    let options = ToolCallingOptions(autoExecute: false, temperature: 0, maxTokens: 200, toolChoice: .required)
    let clock = ContinuousClock()

    func measure(_ name: String, _ body: () async throws -> ToolCallingResult) async throws -> Step {
      let start = clock.now
      let result = try await body()
      let seconds = (clock.now - start).seconds
      let usage = result.usage
      report.row(
        name, "\(usage.promptTokens)", "\(usage.cachedTokens)", "\(usage.prefilledTokens)",
        "\(usage.weighedTokens)",
        "\(usage.generatedTokens)", "\(usage.forcedTokens)", fixed(result.timings.timeToFirstToken, 3),
        fixed(seconds, 3))
      let field = name.split(separator: " ").joined(separator: "_")
      report["\(field)_prefilled"] = .integer(usage.prefilledTokens)
      report["\(field)_ttft_s"] = .double(result.timings.timeToFirstToken)
      report["\(field)_s"] = .double(seconds)
      return Step(result: result, seconds: seconds)
    }
    func warmedModel() async throws -> LanguageModel {
      let model = try await LanguageModel(path: path, threads: threads)
      _ = try await model.respond(to: "Play something.", tools: CallsReuse.otherTools, options: options)
      return model
    }

    let model = try await warmedModel()
    let question = "What's the weather in San Francisco?"
    let first = try await measure("first call") {
      try await model.respond(to: question, tools: CallsReuse.tools, options: options)
    }
    let results = first.result.pendingCalls.map {
      ToolResult.success(["temperature": 72, "condition": "sunny"], of: $0)
    }
    let answer = try await measure("answer") {
      try await model.respond(with: results, after: first.result, tools: CallsReuse.tools, options: options)
    }
    var next = options
    next.history = answer.result.transcript
    let second = try await measure("second question") {
      try await model.respond(to: "And in Paris?", tools: CallsReuse.tools, options: next)
    }
    _ = try await measure("warm call") {
      try await model.respond(to: "Is it raining in Oslo?", tools: CallsReuse.tools, options: options)
    }
    let fresh = try await warmedModel()
    let without = try await measure("second question without reuse") {
      try await fresh.respond(to: "And in Paris?", tools: CallsReuse.tools, options: next)
    }
    report.line("calls: \(first.result.toolCalls); answer: \(answer.result.text)")
    let share = second.result.timings.timeToFirstToken / without.result.timings.timeToFirstToken
    report["second_question_ttft_share"] = .double(share)
    report.line("first token of the second question: \(fixed(share, 3)) x the time without reuse")
    try await addChoice(model, to: &report)
    if let peer { try addPeer(peer, first, to: &report) }
    return report
  }

  /// The cost of choosing among the tools by their whole names, in decode steps.
  private func addChoice(_ model: LanguageModel, to report: inout BenchReport) async throws {
    func seconds(_ selection: ToolSelection) async throws -> Double {
      var best = Double.infinity
      for _ in 0..<3 {
        // The name and nothing else is chosen: the tool has no parameters, and one call is the most.
        let result = try await model.respond(
          to: "What time is it?", tools: CallsReuse.tools,
          options: ToolCallingOptions(
            maxToolCalls: 1, autoExecute: false, temperature: 0, maxTokens: 100, toolChoice: .required,
            toolSelection: selection))
        best = min(best, result.timings.decode)
      }
      return best
    }
    let text = try await model.respond(
      to: "Write a story.", options: LLMGenerationOptions(maxTokens: 24, temperature: 0))
    let step = 1 / max(text.tokensPerSecond, 0.001)
    let cost = (try await seconds(.wholeNames) - seconds(.tokenByToken)) / step
    report["choice_steps"] = .double(cost)
    report.line("a choice by whole names costs \(fixed(cost, 2)) decode steps more than token by token")
  }

  /// The time of another engine for the same number of tokens, read and written, without anything around it.
  private func addPeer(_ command: String, _ first: Step, to report: inout BenchReport) throws {
    let usage = first.result.usage
    let plan = SpeedPlan(prompt: usage.promptTokens, generate: usage.generatedTokens, depth: usage.promptTokens)
    let peer = PeerCommand(command, model: path, threads: threads ?? 2, plan: plan)
    let sample = try peer.measure()
    let seconds = Double(plan.prompt) / sample.prefill + Double(plan.generate) / sample.decode
    report["peer"] = .string(peer.engine)
    report["peer_s"] = .double(seconds)
    report["peer_share"] = .double(first.seconds / seconds)
    report.line(
      "\(peer.engine): \(fixed(seconds, 3)) s for as many tokens; first call: \(fixed(first.seconds / seconds, 3)) x that"
    )
  }
}
