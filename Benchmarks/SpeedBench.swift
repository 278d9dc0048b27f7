import Arguments
import Foundation
import GGUF
import JSON
import Tensor
import Transformer

/// Measures prefill and decode, in turns with a peer engine when one is given.
struct SpeedBench: BenchCommand {
  let measuresSpeed = true
  let command = Command(
    "speed", "measures prefill and decode, beside a peer if asked",
    options: [
      Option("model", short: "m", value: "FILE", "a GGUF file"),
      Option("threads", short: "t", value: "N", "worker threads (as many as the process may use)"),
      Option("prompt", short: "p", value: "N", "tokens of the prefill (512)"),
      Option("generate", short: "n", value: "N", "tokens of the decode (48)"),
      Option("depth", short: "d", value: "N", "tokens in the cache before the decode (8)"),
      Option("batch", value: "N", "also the cost of N tokens at once with logits for each (0: not measured)"),
      Option("chunk", value: "N", "tokens that run through the layers together"),
      Option("runs", value: "N", "runs, of which the median counts (3)"),
      Option("peer", value: "CMD", "a command that measures another engine; in turns with this one"),
    ],
    discussion: """
      The peer's command is run by the shell after each run of our own. Its last line that is a JSON object gives engine, \
      prefill_tps and decode_tps. {model}, {threads}, {prompt} and {generate} in it are replaced, for example: \
      --peer "python peers.py {model} --threads {threads} --prompt {prompt} --generate {generate} --runs 1"
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let path = try arguments.required("model")
    let plan = SpeedPlan(
      prompt: try arguments.integer("prompt", in: 1...1_000_000) ?? 512,
      generate: try arguments.integer("generate", in: 1...1_000_000) ?? 48,
      depth: try arguments.integer("depth", in: 0...1_000_000) ?? 8,
      batch: try arguments.integer("batch", in: 0...65_536) ?? 0)
    let threads = try arguments.integer("threads", in: 1...1024) ?? WorkerPool.allowedThreads
    let chunk = try arguments.integer("chunk", in: 1...65_536) ?? InferenceContext.defaultChunkLength
    let runs = try arguments.integer("runs", in: 1...100) ?? 3
    let peer = arguments.string("peer").map { PeerCommand($0, model: path, threads: threads, plan: plan) }

    let clock = ContinuousClock()
    var model: Model?
    let loading = try clock.measure { model = try Model(GGUFFile(path: path)) }
    guard let model else { throw BenchError("no model") }
    let context = try InferenceContext(
      model: model, pool: WorkerPool(threads: threads), contextLength: plan.positions, chunkLength: chunk)

    var report = BenchReport(columns: ["run", "prefill t/s", "decode t/s"] + (peer == nil ? [] : ["peer", "peer"]))
    var own: [SpeedSample] = []
    var others: [SpeedSample] = []
    for run in 1...runs {
      let sample = try plan.measure(context)
      own.append(sample)
      var cells = ["\(run)", fixed(sample.prefill), fixed(sample.decode)]
      if let peer {
        let other = try peer.measure()
        others.append(other)
        cells += [fixed(other.prefill), fixed(other.decode)]
      }
      report.row(cells)
    }
    let result = SpeedSample.median(own)
    report["engine"] = .string("ra")
    report["prefill_tps"] = .double(result.prefill)
    report["decode_tps"] = .double(result.decode)
    report["ttft_s"] = .double(result.firstToken)
    report["load_s"] = .double(loading.seconds)
    report["private_mb"] = Machine.privateMegabytes.map { .double($0) } ?? .null
    report["threads"] = .integer(context.pool.threads)
    report["prompt"] = .integer(plan.prompt)
    report["generate"] = .integer(plan.generate)
    report["depth"] = .integer(plan.depth)
    report.line(
      "median: prefill \(fixed(result.prefill)), decode \(fixed(result.decode)) tokens/s; first token after "
        + "\(fixed(result.firstToken, 3)) s, load \(fixed(loading.seconds, 3)) s, private memory "
        + "\(Machine.privateMegabytes.map { fixed($0) } ?? "?") MB "
        + "(\(context.pool.threads) threads, prompt \(plan.prompt), decode from \(plan.depth))")
    if plan.batch > 0 {
      report["batch"] = .integer(plan.batch)
      report["batch_cost"] = .double(result.batchCost)
      report.line("a batch of \(plan.batch) costs as much as \(fixed(result.batchCost, 2)) single tokens")
    }
    if let peer, !others.isEmpty {
      let other = SpeedSample.median(others)
      report["peer"] = .string(peer.engine)
      report["peer_prefill_tps"] = .double(other.prefill)
      report["peer_decode_tps"] = .double(other.decode)
      report["prefill_ratio"] = .double(result.prefill / other.prefill)
      report["decode_ratio"] = .double(result.decode / other.decode)
      report.line(
        "\(peer.engine): prefill \(fixed(other.prefill)), decode \(fixed(other.decode)); ratio prefill "
          + "\(fixed(result.prefill / other.prefill, 2)), decode \(fixed(result.decode / other.decode, 2))")
    }
    return report
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
