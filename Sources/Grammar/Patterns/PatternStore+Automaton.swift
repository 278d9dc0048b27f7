/// The transitions of one state: interval `i` is `starts[i] ..< starts[i + 1]` and leads to `targets[i]`.
struct PatternRow {
  var starts: [UInt32] = []
  var targets: [PatternID] = []

  func target(_ codePoint: UInt32) -> PatternID {
    targets.isEmpty ? PatternStore.nothing : targets[index(of: codePoint)]
  }

  /// The interval in which a code point lies. Neighbouring intervals have different targets.
  ///
  /// - Complexity: logarithmic; a class like `\P{Lu}` has more than a thousand intervals.
  func index(of codePoint: UInt32) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= codePoint { low = middle } else { high = middle }
    }
    return low
  }
}

/// Patterns as states of a lazily built deterministic automaton.
extension PatternStore {
  /// The text may end here.
  func accepts(_ id: PatternID) -> Bool {
    if let known = acceptance[Int(id)] { return known }
    let end = derivative(id, by: CodePointSet.endMarker)
    let result = nullable[Int(end)]
    if !isExhausted { acceptance[Int(id)] = result }
    return result
  }

  /// The transitions over all code points.
  func row(_ id: PatternID) -> PatternRow {
    if let known = rows[Int(id)] { return known }
    let edges = edges(id)
    var row = PatternRow()
    for start in edges.sorted() where start <= CodePointSet.last {
      let target = derivative(id, by: start)
      if row.targets.last == target { continue }
      row.starts.append(start)
      row.targets.append(target)
    }
    if !isExhausted { rows[Int(id)] = row }
    return row
  }

  /// Where derivatives by neighbouring code points may differ.
  private func edges(_ id: PatternID) -> Set<UInt32> {
    var edges: Set<UInt32> = [0]
    var visited: Set<PatternID> = []
    var open = [id]
    while let id = open.popLast() {
      guard visited.insert(id).inserted else { continue }
      switch nodes[Int(id)] {
      case .nothing, .epsilon: break
      case .set(let set):
        for range in set.ranges {
          edges.insert(range.lower)
          edges.insert(range.upper + 1)
        }
      case .sequence(let head, let tail):
        open.append(head)
        if nullable[Int(head)] { open.append(tail) }
      case .union(let parts), .intersection(let parts): open += parts
      case .complement(let part), .repetition(let part, _, _): open.append(part)
      }
    }
    return edges
  }

  /// Some text leads from here to acceptance. When the budget runs out the answer is "no", which is safe: less is
  /// accepted, and a state that was found alive has a way out that was found alive too.
  func isAlive(_ id: PatternID) -> Bool {
    reaches[Int(id)].hasEnd ?? liveness[Int(id)] ?? searchEnd(id)
  }

  /// ``isAlive(_:)`` by going through the states.
  func searchEnd(_ id: PatternID) -> Bool {
    var parents: [PatternID: PatternID] = [id: id]
    var stack = [id]
    var found: PatternID?
    while let state = stack.popLast() {
      if accepts(state) || liveness[Int(state)] == true {
        found = state
        break
      }
      if parents.count > stateBudget {
        noteExhaustion()
        liveness[Int(id)] = false
        return false
      }
      for target in row(state).targets.reversed()
      where target != Self.nothing && parents[target] == nil && liveness[Int(target)] != false {
        parents[target] = state
        stack.append(target)
      }
    }
    guard var state = found else {
      for state in parents.keys { liveness[Int(state)] = false }
      return false
    }
    while true {
      liveness[Int(state)] = true
      guard let parent = parents[state], parent != state else { break }
      state = parent
    }
    return true
  }

  /// The state after `codePoint`, dead when nothing can follow.
  func step(_ id: PatternID, _ codePoint: UInt32) -> PatternID {
    let target = row(id).target(codePoint)
    return target == Self.nothing || isAlive(target) ? target : Self.nothing
  }

  /// Whether the pattern matches the whole text.
  func matches(_ id: PatternID, _ text: String) -> Bool {
    var state = id
    for scalar in text.unicodeScalars {
      state = derivative(state, by: scalar.value)
      if state == Self.nothing { return false }
    }
    return accepts(state)
  }

  /// Exactly one of the texts. A trie, so that a state has as many derivatives as there are next characters.
  func literals(_ texts: [String]) -> PatternID {
    var spelled = texts.map { $0.unicodeScalars.map(\.value) + [CodePointSet.endMarker] }
    if spelled.count > 1 { spelled.sort { $0.lexicographicallyPrecedes($1) } }
    return literals(spelled[...], from: 0)
  }

  /// `texts` are sorted, alike before `place`, and each ends in the marker.
  private func literals(_ texts: ArraySlice<[UInt32]>, from place: Int) -> PatternID {
    guard let first = texts.first, let last = texts.last else { return Self.nothing }
    func spelled(_ symbols: ArraySlice<UInt32>, then rest: PatternID) -> PatternID {
      symbols.reversed().reduce(rest) { sequence(single($1), $0) }
    }
    if first == last { return spelled(first[place...], then: Self.epsilon) }
    // The texts are sorted: what the first and the last one share, all share. Each ends in the marker, so none is a
    // beginning of another one.
    var fork = place
    while first[fork] == last[fork] { fork += 1 }
    var branches: [PatternID] = []
    var start = texts.startIndex
    while start < texts.endIndex {
      let symbol = texts[start][fork]
      var end = start + 1
      while end < texts.endIndex, texts[end][fork] == symbol { end += 1 }
      branches.append(sequence(single(symbol), literals(texts[start..<end], from: fork + 1)))
      start = end
    }
    return spelled(first[place..<fork], then: union(branches))
  }
}
