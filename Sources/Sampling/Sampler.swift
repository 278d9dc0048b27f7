/// Chooses the next token from a model's logits.
///
/// ```swift
/// var options = SamplingOptions()
/// options.temperature = 0.7
/// options.topP = 0.95
/// var sampler = Sampler(options)
/// let id = try sampler.sample(&logits, allowed: mask)
/// sampler.accept(id)
/// ```
package struct Sampler: Sendable {
  /// What it was made with.
  package let options: SamplingOptions
  private var generator: Xoshiro256
  /// The last accepted tokens, as many as the penalty looks at, in no particular order once full.
  private var window: [Int] = []
  private var oldest = 0

  package init(_ options: SamplingOptions) {
    self.options = options
    generator = Xoshiro256(seed: options.seed)
  }

  /// Chooses a token.
  ///
  /// A logit of NaN or infinity is never chosen, even at a temperature; of equal logits greedy choice takes the lower id.
  ///
  /// - Parameters:
  ///   - logits: one for each id; they are overwritten on the way.
  ///   - allowed: the tokens to choose among; all when nil. Ids beyond the mask are not allowed.
  /// - Throws: `SamplingError.noAllowedToken` when the mask leaves nothing, `.nonFiniteLogits` when nothing it leaves has
  ///   a finite logit.
  /// - Complexity: linear in the number of logits; nothing is sorted but the few most likely ones.
  package mutating func sample(_ logits: inout [Float], allowed: TokenMask? = nil) throws(SamplingError) -> Int {
    if let allowed { try Self.mask(&logits, allowed) }
    penalizeRepetition(&logits)
    return try choose(logits)
  }

  /// Chooses a token among a few, of which alone the logits are known.
  ///
  /// - Parameters:
  ///   - logits: one for each of `ids`; they are overwritten on the way.
  ///   - ids: the tokens to choose among, rising.
  /// - Returns: what ``sample(_:allowed:)`` chooses under a mask of `ids`, up to the rounding of sums of probabilities.
  /// - Throws: as that.
  /// - Complexity: linear in the number of `ids`.
  package mutating func sample(_ logits: inout [Float], of ids: [Int]) throws(SamplingError) -> Int {
    precondition(logits.count == ids.count, "\(logits.count) logits of \(ids.count) ids")
    guard !ids.isEmpty else { throw .noAllowedToken }
    penalizeRepetition(&logits, of: ids)
    return ids[try choose(logits)]
  }

  /// The place of the logit that is chosen.
  private mutating func choose(_ logits: [Float]) throws(SamplingError) -> Int {
    guard let maximum = Logits.maximum(logits) else { throw .nonFiniteLogits }
    guard options.temperature > 0 else { return Logits.firstIndex(of: maximum, in: logits) ?? 0 }
    // Bounded, so that a tiny temperature makes no NaN of the most likely token's 0 × infinity.
    let scale = Float(min(1 / options.temperature, 1e30))
    guard let candidates = Candidates(logits, maximum: maximum, scale: scale, options) else {
      let (weights, sum) = Logits.weights(logits, maximum: maximum, scale: scale)
      return Self.draw(generator.nextUnit() * sum, from: weights)
    }
    return candidates.draw(generator.nextUnit())
  }

  /// Notes that `id` was taken, for the repetition penalty.
  package mutating func accept(_ id: Int) {
    let length = options.repetitionWindow
    guard penalty != nil, length > 0 else { return }
    if window.count < length {
      window.append(id)
    } else {
      window[oldest] = id
      oldest = (oldest + 1) % length
    }
  }

  private var penalty: Float? {
    let penalty = Float(options.repetitionPenalty)
    return penalty > 0 && penalty.isFinite && penalty != 1 ? penalty : nil
  }

  /// - Parameter ids: whose logits these are, rising; nil when they are those of all ids.
  private func penalizeRepetition(_ logits: inout [Float], of ids: [Int]? = nil) {
    guard let penalty else { return }
    for id in Set(window) {
      guard let place = ids.map({ Self.place(of: id, in: $0) }) ?? id, logits.indices.contains(place) else { continue }
      let logit = logits[place]
      guard logit.isFinite else { continue }
      let changed = logit > 0 ? logit / penalty : logit * penalty
      logits[place] = min(max(changed, -Float.greatestFiniteMagnitude), .greatestFiniteMagnitude)
    }
  }

  /// Where `id` stands among rising ids; nil when it doesn't.
  private static func place(of id: Int, in ids: [Int]) -> Int? {
    var range = ids.startIndex..<ids.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if ids[middle] == id { return middle }
      range = ids[middle] < id ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// Sets the logits of tokens that aren't allowed to -infinity.
  private static func mask(_ logits: inout [Float], _ allowed: TokenMask) throws(SamplingError) {
    let count = logits.count
    var isAnyAllowed = false
    logits.withUnsafeMutableBufferPointer { logits in
      for start in stride(from: 0, to: count, by: 64) {
        let word = start >> 6 < allowed.words.count ? allowed.words[start >> 6] : 0
        let end = min(start + 64, count)
        if word == .max {
          isAnyAllowed = true
        } else if word == 0 {
          for id in start..<end { logits[id] = -.infinity }
        } else {
          for id in start..<end {
            if word >> UInt64(id - start) & 1 == 1 { isAnyAllowed = true } else { logits[id] = -.infinity }
          }
        }
      }
    }
    guard isAnyAllowed else { throw .noAllowedToken }
  }

  /// The first token at which the sum of weights exceeds `target`; the last of any weight if rounding keeps it below.
  private static func draw(_ target: Double, from weights: [Float]) -> Int {
    var sum = 0.0
    for (id, weight) in weights.enumerated() {
      sum += Double(weight)
      if sum > target { return id }
    }
    return weights.lastIndex { $0 > 0 } ?? 0
  }
}
