import Arguments
import Foundation
import GGUF
import JSON
import Tensor
import Transformer

/// Prefill over prompt lengths and decode over context depths: what attention costs as a text grows.
struct ScalingBench: BenchCommand {
  let measuresSpeed = true
  let command = Command(
    "scaling", "measures prefill over prompt lengths and decode over depths",
    options: [
      Option("model", short: "m", value: "FILE", "a GGUF file"),
      Option("threads", short: "t", value: "N", "worker threads (as many as the process may use)"),
      Option("limit", value: "N", "the longest prompt (8192)"),
      Option("generate", short: "n", value: "N", "tokens of each decode (24)"),
      Option("runs", value: "N", "runs, of which the median counts (3)"),
    ])

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let model = try Model(GGUFFile(path: arguments.required("model")))
    let threads = try arguments.integer("threads", in: 1...1024) ?? WorkerPool.allowedThreads
    let generate = try arguments.integer("generate", in: 1...10_000) ?? 24
    let runs = try arguments.integer("runs", in: 1...100) ?? 3
    let asked = try arguments.integer("limit", in: 32...1_000_000) ?? 8192
    let limit = min(asked, model.configuration.contextLength - generate)
    let context = try InferenceContext(
      model: model, pool: WorkerPool(threads: threads), contextLength: limit + generate)
    var report = BenchReport(columns: ["length", "prefill t/s", "ms a token", "decode t/s there"])
    var rows: [JSONValue] = []
    for length in [32, 128, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536] where length <= limit {
      let plan = SpeedPlan(prompt: length, generate: generate, depth: length)
      let sample = SpeedSample.median(try (0..<runs).map { _ in try plan.measure(context) })
      report.row("\(length)", fixed(sample.prefill), fixed(1000 / sample.prefill, 3), fixed(sample.decode))
      rows.append([
        "length": .integer(length), "prefill_tps": .double(sample.prefill), "decode_tps": .double(sample.decode),
      ])
    }
    report.line("\(context.pool.threads) threads, medians of \(runs), decode of \(generate) tokens after the prompt")
    report["rows"] = .array(rows)
    report["threads"] = .integer(context.pool.threads)
    return report
  }
}
