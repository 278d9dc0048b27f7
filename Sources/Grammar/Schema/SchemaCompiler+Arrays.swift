import JSON

/// Items that count: `contains` and `uniqueItems`.
extension SchemaCompiler {
  /// What item `index` may be, each with the counts of `contains` afterwards.
  func itemChoices(
    _ record: ArrayRecord, index: Int, counts: [Int]
  ) throws(GrammarError) -> [(value: SchemaID, counts: [Int])] {
    if let maximum = record.maximum, index >= maximum { return [] }
    let base = index < record.prefix.count ? record.prefix[index] : record.rest
    if record.contains.isEmpty { return [(base, [])] }
    var result: [(value: SchemaID, counts: [Int])] = []
    for subset in 0..<(1 << record.contains.count) {
      var parts = [base]
      var after = counts
      var isUseful = true
      for (place, contains) in record.contains.enumerated() {
        let isChosen = subset >> place & 1 == 1
        if index < contains.from {
          if isChosen { isUseful = false }
          continue
        }
        if isChosen {
          // Without an upper bound only the first `minimum` matter.
          if contains.maximum == nil, counts[place] >= contains.minimum { isUseful = false }
          parts.append(contains.value)
          after[place] += 1
          if let maximum = contains.maximum, after[place] > maximum { isUseful = false }
        } else if contains.maximum != nil {
          parts.append(table.not(contains.value))
        }
      }
      guard isUseful else { continue }
      let value = table.and(parts)
      if try isInhabited(value) { result.append((value, after)) }
    }
    return result
  }

  /// Whether an array with `index` items and these counts can be completed.
  ///
  /// - Throws: when that takes too many steps to find out.
  func canFinish(_ record: ArrayRecord, index: Int, counts: [Int]) throws(GrammarError) -> Bool {
    let start = ArrayPlace(record, index: index, counts: counts)
    if let known = finishable[record]?[start] { return known }
    var parents = [start: start]
    var stack = [start]
    while let place = stack.popLast() {
      let known = finishable[record]?[place]
      if known == false { continue }
      if known == true || isSatisfied(record, index: place.index, counts: place.counts) {
        var back = place
        while true {
          finishable[record, default: [:]][back] = true
          guard let parent = parents[back], parent != back else { return true }
          back = parent
        }
      }
      guard parents.count < 50_000 else {
        throw GrammarError(
          pointer: self.place(of: record.contains.first?.value ?? record.rest), keyword: "contains",
          reason: "together with more than some 10,000 items (minItems, minContains) it is not supported")
      }
      guard hasRoom(record, place) else { continue }
      // What serves most is tried first: it's nearly always the way.
      let choices = try itemChoices(record, index: place.index, counts: place.counts)
      for choice in choices.sorted(by: { $0.counts.reduce(0, +) < $1.counts.reduce(0, +) }) {
        let next = ArrayPlace(record, index: place.index + 1, counts: choice.counts)
        if parents[next] == nil {
          parents[next] = place
          stack.append(next)
        }
      }
    }
    for place in parents.keys { finishable[record, default: [:]][place] = false }
    return false
  }

  /// Whether as many items may follow as are still asked for.
  private func hasRoom(_ record: ArrayRecord, _ place: ArrayPlace) -> Bool {
    guard let maximum = record.maximum else { return true }
    return record.contains.enumerated().allSatisfy { $1.minimum - place.counts[$0] <= maximum - place.index }
  }

  func isSatisfied(_ record: ArrayRecord, index: Int, counts: [Int]) -> Bool {
    if index < record.minimum { return false }
    for (place, contains) in record.contains.enumerated() where counts[place] < contains.minimum { return false }
    return true
  }

  /// Items have to be told apart by their text, so only scalars can be unique; finite sets bound the array.
  func checkUnique(_ record: inout ArrayRecord) throws(GrammarError) {
    let first = record.prefix.first ?? record.rest
    if record.maximum.map({ $0 <= 1 }) ?? false { return }
    guard record.contains.isEmpty else {
      throw GrammarError(
        pointer: place(of: first), keyword: "uniqueItems", reason: "together with contains it is not supported")
    }
    let items = Set(record.prefix + [record.rest])
    for item in items {
      let shape = try shape(item)
      if options.isLenient, !shape.objects.isEmpty || !shape.arrays.isEmpty {
        record.isUnique = false
        return
      }
      guard shape.objects.isEmpty, shape.arrays.isEmpty else {
        throw GrammarError(
          pointer: place(of: item), keyword: "uniqueItems",
          reason: "it is supported for strings, numbers, booleans and null, not for objects and arrays")
      }
    }
    if record.prefix.isEmpty, let count = try valueCount(record.rest, upTo: max(record.minimum, 1_000)) {
      record.maximum = min(record.maximum ?? count, count)
    }
  }

  /// How many scalars a schema allows; `nil`: more than `limit`.
  func valueCount(_ id: SchemaID, upTo limit: Int) throws(GrammarError) -> Int? {
    let shape = try shape(id)
    var count = (shape.allowsNull ? 1 : 0) + (shape.allowsTrue ? 1 : 0) + (shape.allowsFalse ? 1 : 0)
    for string in shape.strings {
      guard let texts = patterns.textCount(language(string), upTo: limit) else { return nil }
      count += texts
    }
    for number in shape.numbers {
      guard let numbers = integerCount(number, upTo: limit) else { return nil }
      count += numbers
    }
    return count > limit ? nil : count
  }

  private func integerCount(_ number: NumberConstraint, upTo limit: Int) -> Int? {
    if number.single != nil { return 1 }
    guard number.isInteger, let lower = number.lower, let upper = number.upper, lower.value.point < 18,
      upper.value.point < 18, let first = Int(whole(lower.value)), let last = Int(whole(upper.value)),
      last - first <= 4 * limit + 10
    else { return nil }
    var count = 0
    for value in (first - 1)...(last + 1) {
      let constraint = number.intersection(.point(DecimalNumber(value)))
      if let constraint, isInhabited(constraint) { count += 1 }
    }
    return count
  }

  private func whole(_ number: DecimalNumber) -> String {
    (number.isNegative ? "-" : "") + String(decoding: number.integerDigits.map { $0 + 0x30 }, as: UTF8.self)
  }
}

/// How far an array with `contains` has come, as far as that matters for what may follow.
struct ArrayPlace: Hashable {
  let index: Int
  let counts: [Int]

  init(_ record: ArrayRecord, index: Int, counts: [Int]) {
    let horizon = max(record.minimum, record.prefix.count, record.contains.map(\.from).max() ?? 0)
    self.index = record.maximum == nil ? min(index, horizon) : index
    self.counts = zip(counts, record.contains).map { $1.maximum == nil ? min($0, $1.minimum) : $0 }
  }
}

extension PatternStore {
  /// How many texts a pattern has; `nil`: more than `limit`.
  func textCount(_ pattern: PatternID, upTo limit: Int) -> Int? {
    var counts: [PatternID: Int?] = [:]
    var open: Set<PatternID> = []
    func count(_ state: PatternID, depth: Int) -> Int? {
      if let known = counts[state] { return known }
      if depth > 500 || !open.insert(state).inserted { return nil }
      defer { open.remove(state) }
      var total = accepts(state) ? 1 : 0
      let row = row(state)
      for (index, target) in row.targets.enumerated() where target != Self.nothing && isAlive(target) {
        let end = index + 1 < row.starts.count ? row.starts[index + 1] - 1 : CodePointSet.last
        let width = Int(end - row.starts[index]) + 1
        guard let below = count(target, depth: depth + 1) else {
          counts[state] = .some(nil)
          return nil
        }
        total += below * width
        if total > limit {
          counts[state] = .some(nil)
          return nil
        }
      }
      counts[state] = total
      return total
    }
    return count(pattern, depth: 0)
  }
}
