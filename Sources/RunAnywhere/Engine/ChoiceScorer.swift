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

  /// The log-probability of each text, given the cache.
  ///
  /// The cache is afterwards as it was.
  ///
  /// - Parameters:
  ///   - alternatives: the ids of the texts, none empty.
  ///   - first: the logits behind the last token of the cache.
  func scores(of alternatives: [[Int]], first: [Float]) throws -> [Double] {
    let base = slot.tokens.count
    var scores = [Double](repeating: 0, count: alternatives.count)
    var path: [Int] = []
    var rows = [Row(first, size: codec.vocabularySize)]
    let order = alternatives.indices.sorted { alternatives[$0].lexicographicallyPrecedes(alternatives[$1]) }
    for index in order {
      let ids = alternatives[index]
      let inner = ids.dropLast()
      let shared = zip(path, inner).prefix { $0 == $1 }.count
      try slot.rewind(to: base + shared)
      path.removeSubrange(shared...)
      rows.removeSubrange((shared + 1)...)
      let new = Array(inner.dropFirst(shared))
      if !new.isEmpty {
        try run(new)
        for step in new.indices { rows.append(Row(try slot.open().logits(at: step), size: codec.vocabularySize)) }
        path += new
      }
      scores[index] = zip(rows, ids).reduce(0) { $0 + $1.0.logProbability(of: $1.1) }
    }
    try slot.rewind(to: base)
    return scores
  }

  private func run(_ tokens: [Int]) throws {
    do {
      try slot.forward(tokens, all: true) { cancellation.isCancelled }
    } catch {
      throw cancellation.isCancelled ? CancellationError() : error
    }
  }

  /// Logits with their normalising term.
  private struct Row {
    private let logits: [Float]
    private let normalizer: Double

    init(_ logits: [Float], size: Int) {
      let logits = logits.count > size ? Array(logits[..<size]) : logits
      let maximum = logits.max() ?? 0
      var sum = 0.0
      for logit in logits where logit > maximum - 30 { sum += Double(expf(logit - maximum)) }
      self.logits = logits
      normalizer = Double(maximum) + log(sum)
    }

    func logProbability(of id: Int) -> Double {
      logits.indices.contains(id) ? Double(logits[id]) - normalizer : -.infinity
    }
  }
}
