import Arguments
import Foundation
import GGUF
import JSON
import Tensor
import Transformer

/// Compares a model's logits with those of a float32 reference.
struct LogitsBench: BenchCommand {
  let command = Command(
    "logits", "compares logits with golden ones",
    options: [
      Option("model", short: "m", value: "FILE", "a GGUF file"),
      Option("golden", value: "FILE", "golden logits, as reference.py writes them"),
      Option("exact", "the float32 path, with tighter thresholds"),
      Option("threads", short: "t", value: "N", "worker threads (as many as the process may use)"),
      Option("chunk", value: "N", "tokens that run through the layers together"),
      Option("cache", value: "TYPE", "how the cache stores keys and values: f16 or q8_0; the latter also against f16"),
    ],
    discussion: """
      Quantised path: at every position the KL divergence over the golden's top tokens is at most 0.02, and the greatest \
      logit is the golden's wherever that one leads by more than 0.5. With --exact: no golden logit is off by more than \
      0.02, and every greedy token is the golden's wherever it leads by more than 0.01.
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let golden = try LogitsGolden(path: arguments.required("golden"))
    let model = try Model(GGUFFile(path: arguments.required("model")))
    let exact = arguments.flag("exact")
    let pool = WorkerPool(threads: try arguments.integer("threads", in: 1...1024) ?? WorkerPool.allowedThreads)
    let chunk = try arguments.integer("chunk", in: 1...65_536) ?? InferenceContext.defaultChunkLength
    var report = BenchReport(columns: ["prompt", "position", "KL", "worst delta", "greatest", "margin"])
    let cache = try arguments.cacheElement()
    var total = LogitsComparison()
    var fromHalf = (bytes: 0.0, chunks: 0.0)
    for prompt in golden.prompts {
      let context = try InferenceContext(
        model: model, pool: pool, contextLength: min(model.configuration.contextLength, prompt.tokens.count + 64),
        precision: exact ? .exact : .quantized, cache: cache, chunkLength: chunk)
      var own = LogitsComparison()
      try own.compare(prompt, context: context, greedyMargin: exact ? 0.01 : 0.5)
      for row in own.rows {
        report.row(
          prompt.name, "\(row.position)", fixed(row.divergence, 5), fixed(row.delta, 4),
          row.isGreatestEqual ? "same" : "differs", fixed(row.margin, 3))
      }
      total.add(own)
      if cache == .q8_0 {
        let divergence = try divergenceFromHalf(prompt.tokens, context)
        fromHalf = (max(fromHalf.bytes, divergence.bytes), max(fromHalf.chunks, divergence.chunks))
      }
    }
    report.line(
      "worst KL \(fixed(total.divergence, 5)), worst delta \(fixed(total.delta, 4)), greatest \(total.greatest.equal) of "
        + "\(total.greatest.total), greedy \(total.greedy.equal) of \(total.greedy.total)"
        + " (\(exact ? "exact" : "quantised"), \(pool.threads) threads, chunks of \(chunk))")
    if cache == .q8_0 {
      report["worst_kl_from_f16"] = .double(fromHalf.bytes)
      report["worst_kl_of_chunks"] = .double(fromHalf.chunks)
      report.line(
        "greatest KL from the F16 cache's logits, over all positions: \(fixed(fromHalf.bytes, 6)); "
          + "of the F16 cache with chunks of 7: \(fixed(fromHalf.chunks, 6))")
    }
    report["worst_kl"] = .double(total.divergence)
    report["worst_delta"] = .double(total.delta)
    report["argmax_equal"] = .integer(total.greatest.equal)
    report["argmax_total"] = .integer(total.greatest.total)
    report["greedy_equal"] = .integer(total.greedy.equal)
    report["greedy_total"] = .integer(total.greedy.total)
    report.verdict = exact ? total.isWithinExact : total.isWithinQuantized
    return report
  }

  /// The greatest KL divergence of this context's logits from those with an F16 cache, over all positions of a prompt; and,
  /// to compare it with, of an F16 cache that is filled in chunks of 7.
  private func divergenceFromHalf(
    _ tokens: [Int], _ context: InferenceContext
  ) throws -> (bytes: Double, chunks: Double) {
    func half(chunk: Int) throws -> InferenceContext {
      let half = try InferenceContext(
        model: context.model, pool: context.pool, contextLength: context.contextLength, precision: context.precision,
        cache: .f16, chunkLength: chunk)
      try half.forward(tokens, logits: .all)
      return half
    }
    context.rewind(to: 0)
    try context.forward(tokens, logits: .all)
    let (base, other) = (try half(chunk: context.chunkLength), try half(chunk: 7))
    func worst(_ context: InferenceContext) -> Double {
      tokens.indices.map { LogitsComparison.divergence(base.logits(at: $0), context.logits(at: $0)) }.max() ?? 0
    }
    return (worst(context), worst(other))
  }
}
