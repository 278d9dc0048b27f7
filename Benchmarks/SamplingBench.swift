import Arguments
import JSON
import Sampling

/// How long the choice of a token takes.
struct SamplingBench: BenchCommand {
  let command = Command(
    "sampling", "measures the choice of a token from made-up logits",
    options: [Option("vocabulary", value: "N", "the number of logits (default: 128256)")])

  let measuresSpeed = true

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let count = try arguments.integer("vocabulary", in: 1...10_000_000) ?? 128_256
    let logits = Self.logits(count)
    var report = BenchReport(columns: ["what", "µs"])
    for (name, options) in Self.settings {
      let time = try Self.time(options, logits, allowed: nil)
      report.row(name, fixed(time))
      report[name] = .double(time)
    }
    for (name, share) in [("mask_half", 2), ("mask_few", 5000)] {
      var mask = TokenMask(count: count)
      for id in stride(from: 0, to: count, by: share) { mask.insert(id) }
      let time = try Self.time(SamplingOptions(), logits, allowed: mask)
      report.row(name, fixed(time))
      report[name] = .double(time)
    }
    return report
  }

  private static let settings: [(String, SamplingOptions)] = {
    func options(_ change: (inout SamplingOptions) -> Void) -> SamplingOptions {
      var options = SamplingOptions()
      options.temperature = 0.8
      change(&options)
      return options
    }
    return [
      ("greedy", options { $0.temperature = 0 }),
      ("greedy_penalty", options { ($0.temperature, $0.repetitionPenalty) = (0, 1.1) }),
      ("temperature", options { _ in }),
      ("top_k_40", options { $0.topK = 40 }),
      ("top_p_95", options { $0.topP = 0.95 }),
      ("top_p_95_hot", options { ($0.topP, $0.temperature) = (0.95, 10) }),
      ("min_p_05", options { $0.minP = 0.05 }),
      ("top_k_40_top_p_95_min_p_05", options { ($0.topK, $0.topP, $0.minP) = (40, 0.95, 0.05) }),
    ]
  }()

  /// Logits about as a model's: most of them near zero, a few far above.
  private static func logits(_ count: Int) -> [Float] {
    var generator = Xoshiro256(seed: 1)
    return (0..<count).map { _ in
      let bell = (0..<6).reduce(0) { sum, _ in sum + generator.nextUnit() } - 3
      return Float(bell * 4 + (generator.nextUnit() < 0.0005 ? 8 : 0))
    }
  }

  /// The median time of a choice in microseconds, without the copying of the logits.
  private static func time(_ options: SamplingOptions, _ logits: [Float], allowed: TokenMask?) throws -> Double {
    var sampler = Sampler(options)
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<200 {
      var scratch = logits
      scratch[0] += 0  // copies
      let start = clock.now
      sampler.accept(try sampler.sample(&scratch, allowed: allowed))
      times.append((clock.now - start) / .microseconds(1))
    }
    return median(times)
  }
}
