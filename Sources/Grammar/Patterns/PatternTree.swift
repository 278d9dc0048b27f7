/// A parsed regular expression, before it becomes an automaton.
indirect enum PatternTree {
  case set(CodePointSet)
  case sequence([PatternTree])
  case union([PatternTree])
  case repetition(PatternTree, min: Int32, max: Int32)
  case start
  case end
  case lookahead(PatternTree, isNegative: Bool)
  case wordBoundary(isNegative: Bool)

  /// What a text takes at least in which the longest way was begun: its code points, and the ranges of the sets from which
  /// they are chosen, together. Saturating.
  var required: (length: Int, ranges: Int) {
    switch self {
    case .set(let set): return (1, set.ranges.count)
    case .start, .end, .lookahead, .wordBoundary: return (0, 0)
    case .sequence(let parts):
      return parts.reduce((0, 0)) { sum, part in
        let required = part.required
        return (min(sum.0 + required.length, Self.limit + 1), min(sum.1 + required.ranges, Self.limit + 1))
      }
    case .union(let parts):
      return parts.reduce((0, 0)) { most, part in
        let required = part.required
        return (max(most.0, required.length), max(most.1, required.ranges))
      }
    case .repetition(let part, let times, _):
      let (required, times) = (part.required, max(Int(times), 1))
      return (min(required.length * times, Self.limit + 1), min(required.ranges * times, Self.limit + 1))
    }
  }

  private static let limit = 1_000_000
  /// Characters.
  static let longestRequired = 65_536

  /// - Throws: when ends of texts that have been begun would take long to find: each code point is a state of its own, with
  ///   as many ways on as there are ranges.
  func checkRequired() throws(PatternError) {
    let required = required
    guard required.length <= Self.longestRequired, required.ranges <= Self.limit else {
      throw PatternError(reason: "the pattern asks for too long a text (\(Self.longestRequired) characters at most)")
    }
  }

  /// Whether what follows has to be known to translate this.
  var looksAhead: Bool {
    switch self {
    case .set, .start, .end: false
    case .sequence(let parts), .union(let parts): parts.contains(where: \.looksAhead)
    case .repetition(let part, _, _): part.looksAhead
    case .lookahead, .wordBoundary: true
    }
  }
}

extension PatternStore {
  /// The texts in which `tree` matches somewhere (`isWhole`: as a whole), without the start marker.
  func pattern(_ tree: PatternTree, isWhole: Bool) throws(PatternError) -> PatternID {
    try tree.checkRequired()
    let end = set(CodePointSet(single: CodePointSet.endMarker))
    let tail = isWhole ? end : Self.anything
    let body = try build(tree, then: tail)
    guard heights[Int(body)] < Self.mostHeight else {
      throw PatternError(reason: "the pattern has too many optional parts in a row")
    }
    let start = CodePointSet.startMarker
    let anchored = derivative(body, by: start)
    if isWhole {
      // `^` may be written or not.
      return union([anchored, body])
    }
    return derivative(sequence(Self.anything, body), by: start)
  }

  private func build(_ tree: PatternTree, then rest: PatternID) throws(PatternError) -> PatternID {
    switch tree {
    case .set(let set): return sequence(self.set(set), rest)
    case .start: return sequence(set(CodePointSet(single: CodePointSet.startMarker)), rest)
    case .end: return sequence(set(CodePointSet(single: CodePointSet.endMarker)), rest)
    case .sequence(let parts):
      var result = rest
      for part in parts.reversed() { result = try build(part, then: result) }
      return result
    case .union(let parts):
      if tree.looksAhead {
        var branches: [PatternID] = []
        for part in parts { branches.append(try build(part, then: rest)) }
        return union(branches)
      }
      var branches: [PatternID] = []
      for part in parts { branches.append(try build(part, then: Self.epsilon)) }
      return sequence(union(branches), rest)
    case .repetition(let part, let min, let max):
      if part.looksAhead {
        guard max >= 0, max <= 16 else {
          throw PatternError(reason: "a look-ahead inside a repetition is not supported")
        }
        var result = rest
        for _ in 0..<(max - min) { result = union([rest, try build(part, then: result)]) }
        for _ in 0..<min { result = try build(part, then: result) }
        return result
      }
      return sequence(repetition(try build(part, then: Self.epsilon), min: min, max: max), rest)
    case .lookahead(let part, let isNegative):
      let ahead = try build(part, then: Self.anything)
      return intersection([isNegative ? complement(ahead) : ahead, rest])
    case .wordBoundary:
      throw PatternError(reason: "word boundaries (\\b, \\B) are not supported")
    }
  }
}

/// Why a regular expression can't be honoured.
struct PatternError: Error {
  let reason: String
}
