import Arguments
import Foundation
import GGUF
import JSON
import Tensor
import Transformer

/// Measures prefill and decode, in turns with a peer engine when one is given; and, when asked, checks golden logits over
/// every path, and measures beside busy processes and from process start.
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
      Option("batch", value: "N", "also the cost of N tokens at once with logits for each (8; 0: not measured)"),
      Option("chunk", value: "N", "tokens that run through the layers together"),
      Option("cache", value: "TYPE", "how the cache stores keys and values: f16 or q8_0 (f16)"),
      Option("runs", value: "N", "runs, of which the median counts (3)"),
      Option("golden", value: "FILE", "also check golden logits over every path"),
      Option("busy", value: "N", "also measure decode beside N processes that never rest"),
      Option("start", "also measure ra-run from its start to its first token"),
      Option("peer", value: "CMD", "a command that measures another engine; in turns with this one"),
    ],
    discussion: """
      The peer's command is run by the shell after each run of our own. Its last line that is a JSON object gives engine, \
      prefill_tps and decode_tps. {model}, {threads}, {prompt}, {generate} and {depth} in it are replaced, for example: \
      --peer "python3 Scripts/peer.py {model} --threads {threads} --prompt {prompt} --generate {generate} --depth \
      {depth} --runs 1"

      With --golden the verdict is that of logits for each path: chunks of 1, 7, 32 and 512 tokens, 1, 2 and 4 threads, \
      tokens one by one and as drafts that are checked in one batch, the kernels of every level, both cache types. With \
      --start it is that the first token comes within 0.35 s and that 512 positions take at most 150 MB.
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let path = try arguments.required("model")
    let plan = SpeedPlan(
      prompt: try arguments.integer("prompt", in: 1...1_000_000) ?? 512,
      generate: try arguments.integer("generate", in: 1...1_000_000) ?? 48,
      depth: try arguments.integer("depth", in: 0...1_000_000) ?? 8,
      batch: try arguments.integer("batch", in: 0...65_536) ?? 8)
    let threads = try arguments.integer("threads", in: 1...1024) ?? WorkerPool.allowedThreads
    let chunk = try arguments.integer("chunk", in: 1...65_536) ?? InferenceContext.defaultChunkLength
    let runs = try arguments.integer("runs", in: 1...100) ?? 3
    let busy = try arguments.integer("busy", in: 1...1024)
    let cache = try arguments.cacheElement()
    let golden = try arguments.string("golden").map { try LogitsGolden(path: $0) }
    let peer = arguments.string("peer").map { PeerCommand($0, model: path, threads: threads, plan: plan) }

    let clock = ContinuousClock()
    var loaded: Model?
    let loading = try clock.measure { loaded = try Model(GGUFFile(path: path)) }
    guard let model = loaded else { throw BenchError("no model") }
    let context = try InferenceContext(
      model: model, pool: WorkerPool(threads: threads), contextLength: plan.positions, cache: cache, chunkLength: chunk)

    var report = BenchReport(columns: ["run", "prefill t/s", "decode t/s"] + (peer == nil ? [] : ["peer", "peer"]))
    let pair = try SpeedPair.measure(plan, context, peer: peer, runs: runs) { report.row(["\($0)"] + $1) }
    add(pair.own, plan, context, loadSeconds: loading.seconds, to: &report)
    if let other = pair.peer, let peer {
      report["peer"] = .string(peer.engine)
      report["peer_prefill_tps"] = .double(other.prefill)
      report["peer_decode_tps"] = .double(other.decode)
      report["prefill_ratio"] = .double(pair.own.prefill / other.prefill)
      report["decode_ratio"] = .double(pair.own.decode / other.decode)
      report.line(
        "\(peer.engine): prefill \(fixed(other.prefill)), decode \(fixed(other.decode)); ratio prefill "
          + "\(fixed(pair.own.prefill / other.prefill, 2)), decode \(fixed(pair.own.decode / other.decode, 2))")
    }
    if let busy {
      try SpeedBusy(processes: busy).measure(plan, context, peer: peer, runs: runs, idle: pair, into: &report)
    }
    if arguments.flag("start") {
      try SpeedStart(model: path, threads: threads).measure(runs: max(runs, 3), into: &report)
    }
    if let golden { try SpeedGolden(model: model, golden: golden).check(into: &report) }
    return report
  }

  private func add(
    _ result: SpeedSample, _ plan: SpeedPlan, _ context: InferenceContext, loadSeconds: Double,
    to report: inout BenchReport
  ) {
    let memory = Machine.privateMegabytes
    report["engine"] = .string("ra")
    report["prefill_tps"] = .double(result.prefill)
    report["decode_tps"] = .double(result.decode)
    report["ttft_s"] = .double(result.firstToken)
    report["load_s"] = .double(loadSeconds)
    report["private_mb"] = memory.map { .double($0) } ?? .null
    report["cache_mb"] = .double(Double(context.cache.byteCount) / 1e6)
    report["threads"] = .integer(context.pool.threads)
    report["prompt"] = .integer(plan.prompt)
    report["generate"] = .integer(plan.generate)
    report["depth"] = .integer(plan.depth)
    report.line(
      "median: prefill \(fixed(result.prefill)), decode \(fixed(result.decode)) tokens/s; first token after "
        + "\(fixed(result.firstToken, 3)) s, load \(fixed(loadSeconds, 3)) s, private memory "
        + "\(memory.map { fixed($0) } ?? "?") MB, cache \(fixed(Double(context.cache.byteCount) / 1e6)) of them "
        + "(\(context.pool.threads) threads, prompt \(plan.prompt), decode from \(plan.depth))")
    guard plan.batch > 0 else { return }
    report["batch"] = .integer(plan.batch)
    report["batch_cost"] = .double(result.batchCost)
    if plan.batch == 8 { report["batch8_cost"] = .double(result.batchCost) }
    report.line("a batch of \(plan.batch) costs as much as \(fixed(result.batchCost, 2)) single tokens")
  }
}

extension Arguments {
  /// The value of `--cache`, or `nil` for the default.
  func cacheElement() throws -> CacheLayout.Element? {
    switch try choice("cache", of: ["f16", "q8_0"]) {
    case "q8_0": .q8_0
    case "f16": .f16
    default: nil
    }
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
