/// The tokens that top-k, top-p and min-p leave, with their weights relative to the most likely one.
struct Candidates {
  private var items: [Candidate]

  /// Selects among `logits`; nil when the options leave all of them.
  init?(_ logits: [Float], maximum: Float, scale: Float, _ options: SamplingOptions) {
    let limitsSum = options.topP >= 0 && options.topP < 1
    let minimum = options.minP > 0 ? min(options.minP, 1) : 0
    if options.topK > 0, options.topK < logits.count {
      items = MostLikely.select(options.topK, of: logits).map { id in
        Candidate(id: id, logit: logits[id], weight: Logits.weight(logits[id], maximum: maximum, scale: scale))
      }
      if limitsSum { keepNucleus(of: options.topP * totalWeight) }
    } else if limitsSum {
      let (weights, sum) = Logits.weights(logits, maximum: maximum, scale: scale)
      // All tokens below this weight together hold less than 1 - topP: the nucleus is complete without them.
      items = Self.collect(logits, weights, atLeast: (1 - options.topP) * sum / Double(logits.count))
      keepNucleus(of: options.topP * sum)
    } else if minimum > 0 {
      items = Self.collect(logits, Logits.weights(logits, maximum: maximum, scale: scale).weights, atLeast: minimum)
    } else {
      return nil
    }
    items.removeAll { $0.weight == 0 || Double($0.weight) < minimum }
  }

  /// The token at the fraction `unit` (0 up to but not including 1) of the weights.
  func draw(_ unit: Double) -> Int {
    let target = unit * totalWeight
    var sum = 0.0
    for item in items {
      sum += Double(item.weight)
      if sum > target { return item.id }
    }
    return items.last?.id ?? 0
  }

  private var totalWeight: Double {
    items.reduce(0) { $0 + Double($1.weight) }
  }

  private static func collect(_ logits: [Float], _ weights: [Float], atLeast threshold: Double) -> [Candidate] {
    let threshold = Float(threshold)
    var items: [Candidate] = []
    for (id, weight) in weights.enumerated() where weight >= threshold && weight > 0 {
      items.append(Candidate(id: id, logit: logits[id], weight: weight))
    }
    return items
  }

  /// Keeps the fewest most likely items whose weights reach `target`, at least one.
  ///
  /// Quickselect by weight: each step parts the range that holds the border and goes on with one half. Expected O(n).
  private mutating func keepNucleus(of target: Double) {
    var start = 0
    var end = items.count
    var missing = target
    while end - start > 24 {
      let border = partition(start..<end)
      let weight = items[start..<border].reduce(0) { $0 + Double($1.weight) }
      if weight >= missing {
        end = border
      } else {
        missing -= weight
        start = border
      }
    }
    items[start..<end].sort { $0.precedes($1) }
    while start < end, missing > 0 {
      missing -= Double(items[start].weight)
      start += 1
    }
    items.removeSubrange(max(start, 1)...)
  }

  /// Parts at least three items into two halves, neither empty, the first of which precedes the second; returns where the
  /// second begins.
  private mutating func partition(_ range: Range<Int>) -> Int {
    var left = range.lowerBound
    var right = range.upperBound - 1
    let pivot = [items[left], items[(left + right) / 2], items[right]].sorted { $0.precedes($1) }[1]
    while true {
      while items[left].precedes(pivot) { left += 1 }
      while pivot.precedes(items[right]) { right -= 1 }
      guard left < right else { return left }
      items.swapAt(left, right)
      left += 1
      right -= 1
    }
  }
}

/// A token that may be drawn.
struct Candidate {
  let id: Int
  let logit: Float
  let weight: Float

  /// The order of likelihood; of equal logits the lower id is first, so that no two are equal.
  func precedes(_ other: Candidate) -> Bool {
    logit > other.logit || (logit == other.logit && id < other.id)
  }
}
