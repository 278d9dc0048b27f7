import Foundation
import JSON
import RunAnywhere
import Tools

/// How soon the processors are idle after a request is cancelled in its prompt, in its answer and in a handler, and whether
/// the next answer is that of a fresh run.
struct CallsCancel {
  let path: String
  let threads: Int?

  func report() async throws -> BenchReport {
    var report = BenchReport(columns: ["cancelled in", "idle after s", "next answer"])
    let fresh = try await LanguageModel(path: path, threads: threads)
    let wanted = try await ask(fresh)
    let long = Array(repeating: "The quick brown fox jumps over the lazy dog.", count: 250).joined(separator: " ")
    let slow = Tool(ToolDefinition(name: "wait", description: "Wait a while", parameters: [])) { _ in
      let end = ContinuousClock.now + .seconds(5)
      // A handler that computes and looks at its task now and then.
      var sum = 0
      while ContinuousClock.now < end, !Task.isCancelled { sum &+= 1 }
      return ["sum": .integer(sum)]
    }
    for (place, wait) in [("prompt", 0.4), ("answer", 1.5), ("handler", 2.0)] {
      let model = try await LanguageModel(path: path, threads: threads)
      _ = try await ask(model)
      let task = Task {
        switch place {
        case "prompt": _ = try await model.respond(to: long, options: LLMGenerationOptions(maxTokens: 10))
        case "answer":
          _ = try await model.respond(
            to: "Count from one to a thousand.", options: LLMGenerationOptions(maxTokens: 2000, temperature: 0))
        default:
          _ = try await model.respond(
            to: "Wait.", tools: [slow], options: ToolCallingOptions(temperature: 0, toolChoice: .required))
        }
      }
      try await Task.sleep(for: .seconds(wait))
      task.cancel()
      let idle = try await CallsCancel.timeToIdle()
      var wasCancelled = false
      do { try await task.value } catch let error as SDKError where error.code == .cancelled { wasCancelled = true }
      let same = try await ask(model) == wanted
      report.row(place, fixed(idle, 3), same ? "the same" : "another")
      report["\(place)_idle_s"] = .double(idle)
      report["\(place)_same"] = .boolean(same)
      if !wasCancelled { report.line("the run in the \(place) ended before it was cancelled") }
      report.verdict = report.verdict && same && wasCancelled && idle < 0.3
    }
    return report
  }

  private func ask(_ model: LanguageModel) async throws -> String {
    try await model.respond(
      to: "What is the capital of France?", options: LLMGenerationOptions(maxTokens: 24, temperature: 0)
    ).text
  }

  /// The time until the process has used less than a tenth of one processor for 60 ms.
  private static func timeToIdle() async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var (lastTime, lastUsed) = (clock.now, used())
    while (clock.now - start).seconds < 10 {
      try await Task.sleep(for: .milliseconds(60))
      let (time, used) = (clock.now, used())
      if used - lastUsed < 0.1 * (time - lastTime).seconds { return (lastTime - start).seconds }
      (lastTime, lastUsed) = (time, used)
    }
    return .infinity
  }

  /// The processor time of the process, in seconds.
  private static func used() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
