import Sampling
import Tools

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// The log-probabilities of whole texts at the place where a turn stands.
///
/// The texts go through the model as a prefix tree over the shared cache: what two of them begin with is run once.
struct ChoiceScorer {
  let slot: GenerationSlot
  let codec: any TextCodec
  let cancellation: Cancellation

  /// The log-probability of each text, given the cache; of texts that can't win, minus infinity.
  ///
  /// The likeliest text goes through the model as one batch. That tells how likely the others are up to where they differ
  /// from it; only those that could still come within `margin` of the best are run as well. The cache is afterwards as it
  /// was.
  ///
  /// - Parameters:
  ///   - alternatives: the ids of the texts, none empty.
  ///   - first: the logits behind the last token of the cache.
  ///   - leaning: what is taken off each score before they are compared; the result is without it.
  func scores(
    of alternatives: [[Int]], first: [Float], leaning: [Double] = [], margin: Double = .infinity
  ) throws -> [Double] {
    let base = slot.tokens.count
    var rows: [[Int]: Row] = [[]: try Row(first, size: codec.vocabularySize)]
    var scores = [Double](repeating: -.infinity, count: alternatives.count)
    var open = Set(alternatives.indices)
    var path: [Int] = []
    while true {
      var next: (index: Int, bound: Double)?
      var bounds: [(Int, Double)] = []
      for index in open.sorted() {
        let (sum, isWhole) = ChoiceScorer.sum(alternatives[index], rows)
        if isWhole {
          scores[index] = sum
          open.remove(index)
        } else {
          bounds.append((index, sum))
        }
      }
      func worth(_ index: Int, _ score: Double) -> Double {
        score - (leaning.indices.contains(index) ? leaning[index] : 0)
      }
      let best = scores.indices.map { worth($0, scores[$0]) }.max() ?? -.infinity
      for (index, bound) in bounds where worth(index, bound) > best - margin || best == -.infinity {
        if let known = next, known.bound >= worth(index, bound) { continue }
        next = (index, worth(index, bound))
      }
      guard let index = next?.index else { break }
      let inner = Array(alternatives[index].dropLast())
      let shared = zip(path, inner).prefix { $0 == $1 }.count
      try slot.rewind(to: base + shared)
      let new = Array(inner.dropFirst(shared))
      try run(new)
      for step in new.indices {
        rows[Array(inner.prefix(shared + step + 1))] = try Row(
          slot.open().logits(at: step), size: codec.vocabularySize)
      }
      path = inner
    }
    try slot.rewind(to: base)
    return scores
  }

  /// How far behind the best a text may be that is still drawn at a temperature: a chance of one in a hundred thousand.
  static func margin(_ temperature: Double) -> Double { temperature > 0 ? 12 * temperature : 0 }

  /// What a text may lose by being counted with one of the texts that may follow it alone.
  static let endMargin = 1.0

  /// The log-probability that one of several texts follows, from those of each.
  static func sum(_ scores: [Double]) -> Double {
    guard let best = scores.max(), best > -.infinity else { return -.infinity }
    return best + log(scores.reduce(0) { $0 + exp($1 - best) })
  }

  /// The log-probability of `ids` as far as it is known, and whether that is all of it.
  private static func sum(_ ids: [Int], _ rows: [[Int]: Row]) -> (Double, isWhole: Bool) {
    var sum = 0.0
    for step in ids.indices {
      guard let row = rows[Array(ids[..<step])] else { return (sum, false) }
      sum += row.logProbability(of: ids[step])
    }
    return (sum, true)
  }

  /// The log-odds of yes against no behind `prompt`, which the cache then holds.
  func logOddsOfYes(behind prompt: [Int]) throws -> Double {
    let answers = [CallCheck.yes, CallCheck.no].map { $0.map { codec.encode(bytes: Array($0.utf8)) } }
    guard answers.joined().allSatisfy({ !$0.isEmpty }) else { return 0 }
    let scores = try scores(of: answers.flatMap { $0 }, behind: prompt)
    let odds =
      ChoiceScorer.sum(Array(scores.prefix(CallCheck.yes.count)))
      - ChoiceScorer.sum(Array(scores.dropFirst(CallCheck.yes.count)))
    return odds.isFinite ? odds : 0
  }

  /// The log-probability of each text behind `prompt`, which the cache then holds.
  func scores(of alternatives: [[Int]], behind prompt: [Int]) throws -> [Double] {
    try scores(of: alternatives, first: logits(behind: prompt))
  }

  func logits(behind prompt: [Int]) throws -> [Float] {
    let cached = try slot.reuse(prompt)
    try slot.forward(Array(prompt[cached...]), cancellation: cancellation)
    return try slot.open().logits(at: 0)
  }

  func run(_ tokens: [Int]) throws {
    try slot.forward(tokens, logits: .tail(tokens.count), cancellation: cancellation)
  }

  /// Logits with their normalising term.
  struct Row {
    private let logits: [Float]
    private let normalizer: Double

    /// - Throws: ``SamplingError/nonFiniteLogits`` when no logit is finite. A few that aren't are left out.
    init(_ logits: [Float], size: Int) throws {
      let logits = logits.count > size ? Array(logits[..<size]) : logits
      guard let maximum = Logits.maximum(logits) else { throw SamplingError.nonFiniteLogits }
      var sum = 0.0
      for logit in logits where logit.isFinite && logit > maximum - 30 { sum += Double(expf(logit - maximum)) }
      self.logits = logits
      normalizer = Double(maximum) + log(sum)
    }

    func logProbability(of id: Int) -> Double {
      logits.indices.contains(id) && logits[id].isFinite ? Double(logits[id]) - normalizer : -.infinity
    }
  }
}
