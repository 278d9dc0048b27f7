import Transformer

/// One run's figures, in tokens per second and seconds.
struct SpeedSample {
  var prefill: Double
  var decode: Double
  /// From the prompt to its logits.
  var firstToken: Double
  /// What a small batch with logits for all of its tokens costs, in single tokens; NaN when none was measured.
  var batchCost = Double.nan

  /// The median of each figure.
  static func median(_ samples: [SpeedSample]) -> SpeedSample {
    SpeedSample(
      prefill: ra_bench.median(samples.map(\.prefill)), decode: ra_bench.median(samples.map(\.decode)),
      firstToken: ra_bench.median(samples.map(\.firstToken)), batchCost: ra_bench.median(samples.map(\.batchCost)))
  }
}

/// What a run does: a prefill of `prompt` tokens into an empty cache, and `generate` single tokens after `depth`.
struct SpeedPlan {
  let prompt: Int
  let generate: Int
  let depth: Int
  /// Tokens of a small batch, such as drafted ones; 0 for none.
  var batch = 0

  /// Positions that the runs take.
  var positions: Int { max(prompt, depth + max(generate, batch)) }

  /// Ids that are spread over a vocabulary; the same for every engine that is measured.
  func ids(_ count: Int, vocabularySize: Int) -> [Int] {
    (0..<count).map { min(100 + $0 * 7919 % 20_000, vocabularySize - 1) }
  }

  func measure(_ context: InferenceContext) throws -> SpeedSample {
    let ids = ids(max(prompt, depth, 1), vocabularySize: context.model.configuration.vocabularySize)
    let clock = ContinuousClock()
    context.rewind(to: 0)
    let prefilling = try clock.measure { try context.forward(Array(ids.prefix(prompt))) }
    if depth <= prompt {
      context.rewind(to: depth)
    } else {
      try context.forward(Array(ids[prompt..<depth]), logits: .none)
    }
    let decoding = try clock.measure {
      for step in 0..<generate { try context.forward([ids[step % ids.count]]) }
    }
    return SpeedSample(
      prefill: Double(prompt) / prefilling.seconds, decode: Double(generate) / decoding.seconds,
      firstToken: prefilling.seconds,
      batchCost: try batchSeconds(context, ids) / (decoding.seconds / Double(generate)))
  }

  /// The median time of a batch at `depth`, with logits for each of its tokens.
  private func batchSeconds(_ context: InferenceContext, _ ids: [Int]) throws -> Double {
    guard batch > 0 else { return .nan }
    let tokens = (0..<batch).map { ids[$0 % ids.count] }
    let clock = ContinuousClock()
    return ra_bench.median(
      try (0..<5).map { _ in
        context.rewind(to: depth)
        return try clock.measure { try context.forward(tokens, logits: .all) }.seconds
      })
  }
}
