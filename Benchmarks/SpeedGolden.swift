import JSON
import Tensor
import Transformer

/// Golden logits over every path that a speed may come from: a speed that isn't exact is a defect.
struct SpeedGolden {
  /// One way to compute the same logits.
  struct Path {
    var level = KernelLevel.best
    var cache = CacheLayout.Element.f16
    var chunk = 512
    var threads = 2
    /// Whether the tokens behind the prompt run as drafts, several at once, some of them wrong and taken back.
    var drafts = false

    /// What decides the numbers: all but threads and drafts.
    var numbers: String { "\(level.name) \(cache) \(chunk)" }

    /// Chunk lengths, threads and drafts in all combinations with the best kernels; then other kernels and the 8-bit cache.
    static var all: [Path] {
      var paths: [Path] = []
      for chunk in [1, 7, 32, 512] {
        for threads in [1, 2, 4] {
          for drafts in [false, true] { paths.append(Path(chunk: chunk, threads: threads, drafts: drafts)) }
        }
      }
      // The scalar level has no 8-bit products: it is the exact path's.
      for level in KernelLevel.available where level != .best && level != .scalar {
        for chunk in [1, 7, 512] { paths.append(Path(level: level, chunk: chunk, drafts: chunk == 7)) }
      }
      for chunk in [1, 512] { paths.append(Path(cache: .q8_0, chunk: chunk, drafts: chunk == 512)) }
      return paths
    }
  }

  let model: Model
  let golden: LogitsGolden

  /// Adds a line a path, the worst of all, and the verdict.
  func check(into report: inout BenchReport) throws {
    var rows: [JSONValue] = []
    var worst = LogitsComparison()
    var failed = 0
    var threads: [Int: WorkerPool] = [:]
    // What threads and drafts must not change.
    var bits: [String: UInt64] = [:]
    var unequal = 0
    report.line("golden logits: level, cache, chunk, threads, drafts: worst KL, greatest, greedy")
    for path in Path.all {
      let pool = threads[path.threads] ?? WorkerPool(threads: path.threads)
      threads[path.threads] = pool
      let result = try compare(path, pool: pool)
      worst.add(result)
      let isSame = bits.updateValue(result.bits, forKey: path.numbers).map { $0 == result.bits } ?? true
      if !isSame { unequal += 1 }
      if !result.isWithinQuantized { failed += 1 }
      rows.append([
        "level": .string(path.level.name), "cache": .string("\(path.cache)"), "chunk": .integer(path.chunk),
        "threads": .integer(path.threads), "drafts": .boolean(path.drafts), "worst_kl": .double(result.divergence),
        "argmax_equal": .integer(result.greatest.equal), "argmax_total": .integer(result.greatest.total),
        "greedy_equal": .integer(result.greedy.equal), "greedy_total": .integer(result.greedy.total),
        "ok": .boolean(result.isWithinQuantized),
      ])
      report.line(
        "  \(path.level.name), \(path.cache), \(path.chunk), \(path.threads), \(path.drafts ? "on" : "off"): "
          + "\(fixed(result.divergence, 5)), \(result.greatest.equal) of \(result.greatest.total), "
          + "\(result.greedy.equal) of \(result.greedy.total)\(result.isWithinQuantized ? "" : "  FAILS")\(isSame ? "" : "  OTHER BITS")"
      )
    }
    report["golden_paths"] = .array(rows)
    report["golden_worst_kl"] = .double(worst.divergence)
    report["golden_failed"] = .integer(failed)
    report.line(
      "golden logits hold on \(Path.all.count - failed) of \(Path.all.count) paths; worst KL \(fixed(worst.divergence, 5))"
    )
    report["golden_other_bits"] = .integer(unequal)
    report.line(
      "logits behind the prompts are the same bits with any number of threads and with drafts on \(Path.all.count - unequal) paths"
    )
    if failed > 0 || unequal > 0 { report.verdict = false }
  }

  private func compare(_ path: Path, pool: WorkerPool) throws -> LogitsComparison {
    var result = LogitsComparison()
    for prompt in golden.prompts {
      let context = try InferenceContext(
        model: model, pool: pool, contextLength: min(model.configuration.contextLength, prompt.tokens.count + 64),
        cache: path.cache, chunkLength: path.chunk, level: path.level)
      var own = LogitsComparison()
      try own.compare(prompt, context: context, greedyMargin: 0.5, drafts: path.drafts)
      result.add(own)
    }
    return result
  }
}
