import Sampling
import Testing

/// The rules of `SamplingOptions` spelled out over a full sort, in double precision.
struct SamplingTwin {
  let options: SamplingOptions

  /// The probability of each id.
  func probabilities(_ logits: [Float]) -> [Double] {
    let order = logits.indices.filter { logits[$0].isFinite }.sorted {
      logits[$0] > logits[$1] || (logits[$0] == logits[$1] && $0 < $1)
    }
    let best = Double(logits[order[0]])
    var kept = order.map { (id: $0, weight: exponential((Double(logits[$0]) - best) / options.temperature)) }
    if options.topK > 0 { kept = Array(kept.prefix(options.topK)) }
    if options.topP < 1 {
      let total = kept.reduce(0) { $0 + $1.weight }
      var sum = 0.0
      let count = kept.firstIndex {
        sum += $0.weight
        return sum >= options.topP * total
      }
      kept = Array(kept.prefix((count ?? kept.count) + 1))
    }
    kept.removeAll { $0.weight < options.minP }
    let total = kept.reduce(0) { $0 + $1.weight }
    var probabilities = [Double](repeating: 0, count: logits.count)
    for (id, weight) in kept { probabilities[id] = weight / total }
    return probabilities
  }

  /// e^x for x ≤ 0, by halving and the series.
  private func exponential(_ x: Double) -> Double {
    let halvings = 12
    let small = x / Double(1 << halvings)
    var term = 1.0
    var sum = 1.0
    for index in 1...12 {
      term *= small / Double(index)
      sum += term
    }
    for _ in 0..<halvings { sum *= sum }
    return max(0, sum)
  }
}

@Suite("Sampling against brute force")
struct SamplingTwinTests {
  /// Options, with logits of as many values as `values` (few make ties).
  struct Case: CustomTestStringConvertible {
    var topK = 0
    var topP = 1.0
    var minP = 0.0
    var temperature = 1.0
    var values = 1000

    var testDescription: String { "k \(topK) p \(topP) min \(minP) T \(temperature) values \(values)" }
  }

  static let cases = [
    Case(), Case(temperature: 0.3), Case(temperature: 5), Case(topK: 1), Case(topK: 7), Case(topK: 7, values: 3),
    Case(topK: 100), Case(topP: 0.9), Case(topP: 0.5, values: 2), Case(topP: 0.05), Case(topP: 0),
    Case(topP: 0.95, temperature: 3), Case(minP: 0.1), Case(minP: 1), Case(topK: 20, topP: 0.8),
    Case(topK: 20, topP: 0.9, minP: 0.2, temperature: 0.7), Case(topP: 0.99, minP: 0.05),
  ]

  @Test("frequencies agree with the probabilities", arguments: cases)
  func frequencies(of test: Case) throws {
    var options = SamplingOptions()
    (options.topK, options.topP, options.minP) = (test.topK, test.topP, test.minP)
    (options.temperature, options.seed) = (test.temperature, 11)
    var generator = Xoshiro256(seed: 5)
    let logits = (0..<61).map { _ in Float(Int.random(in: 0..<test.values, using: &generator)) / Float(test.values) * 6
    }
    let expected = SamplingTwin(options: options).probabilities(logits)
    var sampler = Sampler(options)
    let draws = 2500
    var counts = [Int](repeating: 0, count: logits.count)
    for _ in 0..<draws {
      var scratch = logits
      counts[try sampler.sample(&scratch)] += 1
    }
    var chiSquare = 0.0
    var classes = 0
    var rare = (count: 0.0, mean: 0.0)
    func compare(_ count: Double, _ mean: Double) {
      chiSquare += (count - mean) * (count - mean) / mean
      classes += 1
    }
    for (count, probability) in zip(counts, expected) {
      let mean = probability * Double(draws)
      if probability == 0 {
        #expect(count == 0)
      } else if mean >= 5 {
        compare(Double(count), mean)
      } else {
        // The statistic needs classes of a few expected draws: the rare tokens share one.
        rare = (rare.count + Double(count), rare.mean + mean)
      }
    }
    if rare.mean > 0 { compare(rare.count, max(rare.mean, 1)) }
    // Mean plus six standard deviations of the chi-square distribution.
    let freedom = Double(classes - 1)
    #expect(chiSquare <= freedom + 6 * (2 * freedom).squareRoot() + 1)
  }

  @Test("large random vocabularies keep the same tokens as a full sort", arguments: 0..<12 as Range<UInt64>)
  func selection(seed: UInt64) throws {
    var generator = Xoshiro256(seed: seed)
    var options = SamplingOptions()
    options.temperature = Double.random(in: 0.2...3, using: &generator)
    options.topK = seed % 3 == 0 ? Int.random(in: 1...200, using: &generator) : 0
    options.topP = seed % 3 == 1 ? 1 : Double.random(in: 0...1, using: &generator)
    options.minP = seed % 2 == 0 ? 0 : Double.random(in: 0...0.5, using: &generator)
    options.seed = seed
    let logits = (0..<3000).map { _ in
      Float.random(in: 0..<1, using: &generator) * Float.random(in: -8..<8, using: &generator)
    }
    let expected = SamplingTwin(options: options).probabilities(logits)
    var sampler = Sampler(options)
    for _ in 0..<60 {
      var scratch = logits
      #expect(expected[try sampler.sample(&scratch)] > 0, "seed \(seed)")
    }
  }
}
