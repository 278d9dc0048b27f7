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
      Option("lengths", value: "N,…", "lengths of prompts, and depths (0,32,128,512,1024,2048,4096,8192)"),
      Option("generate", short: "n", value: "N", "tokens of each decode (24)"),
      Option("cache", value: "TYPE", "how the cache stores keys and values: f16 or q8_0 (f16)"),
      Option("runs", value: "N", "runs, of which the median counts (3)"),
      Option("peer", value: "CMD", "a command that measures another engine, as for speed; at every length"),
    ],
    discussion: """
      The verdict holds when the prefill of 512 tokens runs at 3 times the decode's rate or more, and 1,024 tokens cost less \
      than 2.5 times as much as 512, as far as these lengths are measured.
      """)

  private struct Row {
    let length: Int
    let own: SpeedSample
    let peer: SpeedSample?
  }

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let path = try arguments.required("model")
    let model = try Model(GGUFFile(path: path))
    let threads = try arguments.integer("threads", in: 1...1024) ?? WorkerPool.allowedThreads
    let generate = try arguments.integer("generate", in: 1...10_000) ?? 24
    let runs = try arguments.integer("runs", in: 1...100) ?? 3
    let limit = model.configuration.contextLength - generate
    let asked = try lengths(arguments.string("lengths") ?? "0,32,128,512,1024,2048,4096,8192").filter { $0 <= limit }
    guard let longest = asked.max() else { throw UsageError("the model's context is too short for these lengths") }
    let context = try InferenceContext(
      model: model, pool: WorkerPool(threads: threads), contextLength: longest + generate,
      cache: arguments.cacheElement())

    var rows: [Row] = []
    var engine = "peer"
    for length in asked {
      let plan = SpeedPlan(prompt: max(length, 1), generate: generate, depth: length)
      let peer = arguments.string("peer").map { PeerCommand($0, model: path, threads: threads, plan: plan) }
      let pair = try SpeedPair.measure(plan, context, peer: peer, runs: runs) { _, _ in }
      engine = peer?.engine ?? engine
      rows.append(Row(length: length, own: pair.own, peer: pair.peer))
    }
    let hasPeer = arguments.string("peer") != nil
    var report = table(rows, peer: hasPeer ? engine : nil)
    if hasPeer { report["peer"] = .string(engine) }
    report.line("\(context.pool.threads) threads, medians of \(runs), decode of \(generate) tokens at each depth")
    report["threads"] = .integer(context.pool.threads)
    report["cache"] = .string("\(context.cache.layout.element)")
    judge(rows, &report)
    return report
  }

  private func lengths(_ text: String) throws -> [Int] {
    try text.split(separator: ",").map { part in
      guard let length = Int(part), (0...1_000_000).contains(length) else {
        throw UsageError("--lengths: '\(part)' is no length from 0 to 1000000")
      }
      return length
    }
  }

  /// A row a length; shares are of the decode at the first one.
  private func table(_ rows: [Row], peer: String?) -> BenchReport {
    let columns = ["tokens", "prefill t/s", "ms a token", "decode t/s there", "share"]
    var report = BenchReport(columns: columns + (peer.map { ["\($0): prefill", "decode", "share"] } ?? []))
    var values: [JSONValue] = []
    for row in rows {
      let share = row.own.decode / rows[0].own.decode
      var value: JSONObject = JSONObject()
      value["length"] = .integer(row.length)
      value["decode_tps"] = .double(row.own.decode)
      value["decode_share"] = .double(share)
      var cells = ["\(row.length)", "", "", fixed(row.own.decode), "\(fixed(100 * share, 0)) %"]
      if row.length > 0 {
        value["prefill_tps"] = .double(row.own.prefill)
        cells[1] = fixed(row.own.prefill)
        cells[2] = fixed(1000 / row.own.prefill, 3)
      }
      if let other = row.peer, let first = rows[0].peer {
        value["peer_prefill_tps"] = .double(other.prefill)
        value["peer_decode_tps"] = .double(other.decode)
        value["peer_decode_share"] = .double(other.decode / first.decode)
        cells += [
          row.length > 0 ? fixed(other.prefill) : "", fixed(other.decode),
          "\(fixed(100 * other.decode / first.decode, 0)) %",
        ]
      }
      report.row(cells)
      values.append(.object(value))
    }
    report["rows"] = .array(values)
    return report
  }

  private func judge(_ rows: [Row], _ report: inout BenchReport) {
    func row(_ length: Int) -> Row? { rows.first { $0.length == length } }
    guard let half = row(512) else { return }
    let ratio = half.own.prefill / rows[0].own.decode
    report["prefill_over_decode"] = .double(ratio)
    report.line("prefill of 512 tokens runs at \(fixed(ratio)) times the rate of decode (at least 3 are asked for)")
    if ratio < 3 { report.verdict = false }
    guard let whole = row(1024) else { return }
    let cost = 2 * half.own.prefill / whole.own.prefill
    report["cost_1024_over_512"] = .double(cost)
    report.line("1,024 tokens cost \(fixed(cost, 2)) times as much as 512 (less than 2.5 is asked for)")
    if cost >= 2.5 { report.verdict = false }
  }
}
