/// A regular expression, closed under intersection and complement.
enum PatternNode: Hashable {
  case nothing
  case epsilon
  case set(CodePointSet)
  case sequence(PatternID, PatternID)
  case union([PatternID])
  case intersection([PatternID])
  case complement(PatternID)
  /// `max` -1: no limit.
  case repetition(PatternID, min: Int32, max: Int32)
}

typealias PatternID = Int32

/// Regular expressions over code points, hash-consed: equal expressions have equal ids, so that a derivative that
/// comes back to an old expression closes a loop, and every id is at the same time a state of a deterministic automaton.
///
/// Expressions describe `text + end marker` (see `CodePointSet.endMarker`). Source of the method: Brzozowski's derivatives,
/// as in Owens, Reppy and Turon, "Regular-expression derivatives re-examined".
final class PatternStore {
  static let nothing: PatternID = 0
  static let epsilon: PatternID = 1
  static let anything: PatternID = 2

  private(set) var nodes: [PatternNode] = []
  private(set) var nullable: [Bool] = []
  private var ids: [PatternNode: PatternID] = [:]
  /// Sequences by their parts, and sets of one code point: most of all patterns, so they have maps of their own.
  private var sequences = IntMap()
  private var singles = IntMap()
  private let everything: PatternID

  /// What has been found out about each pattern as a state.
  var rows: [PatternRow?] = []
  var acceptance: [Bool?] = []
  var liveness: [Bool?] = []
  /// What is plain about each pattern without a search.
  private(set) var reaches: [PatternReach] = []

  /// More states than this in one question count as "can't be answered": the pattern is refused.
  let stateBudget = 20_000
  /// Set when a question of the grammar that is being compiled ran out of budget.
  private(set) var isExhausted = false
  /// More derivatives than this while a grammar is compiled likewise: their number can grow with the cube of a pattern's
  /// length.
  private let workBudget = 1_500_000
  /// Derivatives left; `nil`: nothing is being compiled.
  private var workLeft: Int?
  /// The derivative of each node that was asked for last. Without them the parts that the parts of a union share would be
  /// looked at once for every one of them.
  private var derivatives: [(symbol: UInt32, result: PatternID)?] = []
  /// How deeply the derivative of a node is nested; what goes beyond the limit (a thousand `x?` in a row) is refused: it isn't
  /// worth a stack overflow.
  private(set) var heights: [Int32] = []
  static let mostHeight: Int32 = 1_000
  /// Set when that happened: some states are taken for dead that aren't.
  private(set) var isDamaged = false

  /// While a grammar is compiled this refuses it; later the answer is only too strict.
  func noteExhaustion() {
    if workLeft != nil { isExhausted = true }
  }

  /// Compiles within the budgets.
  func budgeted<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    workLeft = workBudget
    defer {
      workLeft = nil
      if isExhausted { isDamaged = true }
      isExhausted = false
    }
    return try body()
  }

  init() {
    nodes = [.nothing, .epsilon, .repetition(3, min: 0, max: -1), .set(.everything)]
    nullable = [false, true, true, false]
    heights = [0, 0, 1, 0]
    derivatives = [nil, nil, nil, nil]
    let everyText = PatternReach(.set(.everything), reach: { _ in .nothing }, isNullable: { _ in false })
    reaches = [.nothing, .epsilon, everyText, everyText]
    everything = 3
    for (id, node) in nodes.enumerated() {
      ids[node] = PatternID(id)
      rows.append(nil)
      acceptance.append(nil)
      liveness.append(nil)
    }
  }

  private func intern(_ node: PatternNode) -> PatternID {
    if let id = ids[node] { return id }
    let id = add(node)
    ids[node] = id
    return id
  }

  private func add(_ node: PatternNode) -> PatternID {
    let id = PatternID(truncatingIfNeeded: nodes.count)
    let empty: Bool
    switch node {
    case .nothing, .set: empty = false
    case .epsilon: empty = true
    case .sequence(let head, let tail): empty = nullable[Int(head)] && nullable[Int(tail)]
    case .union(let parts): empty = parts.contains { nullable[Int($0)] }
    case .intersection(let parts): empty = parts.allSatisfy { nullable[Int($0)] }
    case .complement(let part): empty = !nullable[Int(part)]
    case .repetition(let part, let min, _): empty = min == 0 || nullable[Int(part)]
    }
    heights.append(height(node))
    reaches.append(PatternReach(node, reach: { reaches[Int($0)] }, isNullable: { nullable[Int($0)] }))
    derivatives.append(nil)
    nodes.append(node)
    nullable.append(empty)
    rows.append(nil)
    acceptance.append(nil)
    liveness.append(nil)
    return id
  }

  /// The levels of recursion that the derivative of `node` takes.
  private func height(_ node: PatternNode) -> Int32 {
    let below: Int32
    switch node {
    case .nothing, .epsilon, .set: return 0
    case .sequence(let head, let tail):
      below = max(heights[Int(head)], nullable[Int(head)] ? heights[Int(tail)] : 0)
    case .union(let parts), .intersection(let parts): below = parts.reduce(0) { max($0, heights[Int($1)]) }
    case .complement(let part), .repetition(let part, _, _): below = heights[Int(part)]
    }
    return below + 1
  }

  /// One code point or marker.
  func single(_ symbol: UInt32) -> PatternID {
    if let id = singles[UInt64(symbol)] { return id }
    let id = add(.set(CodePointSet(single: symbol)))
    singles.insert(UInt64(symbol), id)
    return id
  }

  func set(_ set: CodePointSet) -> PatternID {
    if set.ranges.count == 1, set.ranges[0].lower == set.ranges[0].upper { return single(set.ranges[0].lower) }
    return set.isEmpty ? Self.nothing : intern(.set(set))
  }

  func sequence(_ head: PatternID, _ tail: PatternID) -> PatternID {
    if head == Self.nothing || tail == Self.nothing { return Self.nothing }
    if head == Self.epsilon { return tail }
    if tail == Self.epsilon { return head }
    if case .sequence = nodes[Int(head)] {
      // To the right: the heads of sequences are none themselves. A loop, since a pattern can have any length.
      var firsts: [PatternID] = []
      var last = head
      while case .sequence(let first, let second) = nodes[Int(last)] {
        firsts.append(first)
        last = second
      }
      return firsts.reversed().reduce(sequence(last, tail)) { sequence($1, $0) }
    }
    // x* x* = x*, which otherwise has as many states as there are stars.
    if case .repetition(_, 0, -1) = nodes[Int(head)] {
      if tail == head { return tail }
      if case .sequence(head, _) = nodes[Int(tail)] { return tail }
    }
    let key = UInt64(UInt32(bitPattern: head)) << 32 | UInt64(UInt32(bitPattern: tail))
    if let id = sequences[key] { return id }
    let id = add(.sequence(head, tail))
    sequences.insert(key, id)
    return id
  }

  func sequence(_ parts: [PatternID]) -> PatternID {
    parts.reversed().reduce(Self.epsilon) { sequence($1, $0) }
  }

  func union(_ parts: [PatternID]) -> PatternID {
    if parts.count == 1 { return parts[0] }
    var flat: Set<PatternID> = []
    var ranges: [CodePointSet.Range] = []
    func add(_ part: PatternID) {
      switch nodes[Int(part)] {
      case .nothing: break
      case .union(let inner): inner.forEach(add)
      case .set(let set): ranges += set.ranges
      default: flat.insert(part)
      }
    }
    parts.forEach(add)
    if flat.contains(Self.anything) { return Self.anything }
    if !ranges.isEmpty { flat.insert(set(CodePointSet(ranges))) }
    if flat.contains(Self.epsilon), flat.contains(where: { $0 != Self.epsilon && nullable[Int($0)] }) {
      flat.remove(Self.epsilon)
    }
    if flat.isEmpty { return Self.nothing }
    if flat.count == 1, let only = flat.first { return only }
    if flat.contains(where: { if case .complement(let inner) = nodes[Int($0)] { flat.contains(inner) } else { false } })
    {
      return Self.anything
    }
    return intern(.union(flat.sorted()))
  }

  func intersection(_ parts: [PatternID]) -> PatternID {
    if parts.count == 1 { return parts[0] }
    var flat: Set<PatternID> = []
    func add(_ part: PatternID) {
      if part == Self.anything { return }
      if case .intersection(let inner) = nodes[Int(part)] { inner.forEach(add) } else { flat.insert(part) }
    }
    parts.forEach(add)
    if flat.contains(Self.nothing) { return Self.nothing }
    if flat.isEmpty { return Self.anything }
    if flat.count == 1, let only = flat.first { return only }
    if flat.contains(Self.epsilon) { return flat.allSatisfy { nullable[Int($0)] } ? Self.epsilon : Self.nothing }
    if flat.contains(where: { if case .complement(let inner) = nodes[Int($0)] { flat.contains(inner) } else { false } })
    {
      return Self.nothing
    }
    return intern(.intersection(flat.sorted()))
  }

  func complement(_ part: PatternID) -> PatternID {
    if part == Self.nothing { return Self.anything }
    if part == Self.anything { return Self.nothing }
    if case .complement(let inner) = nodes[Int(part)] { return inner }
    return intern(.complement(part))
  }

  /// `max` -1: no limit.
  func repetition(_ part: PatternID, min: Int32, max: Int32) -> PatternID {
    if max == 0 { return Self.epsilon }
    if part == Self.nothing { return min == 0 ? Self.epsilon : Self.nothing }
    if part == Self.epsilon { return part }
    if min == 1, max == 1 { return part }
    if case .repetition(_, 0, -1) = nodes[Int(part)] { return part }
    // (x{1,m}){p,q} is x{p,qm}: what one number of times leaves out, the next one doesn't. As nested repetitions there would be
    // as many states as there are ways to share the x out.
    if case .repetition(let inner, let least, let most) = nodes[Int(part)], least <= 1 {
      let (product, overflow) = most.multipliedReportingOverflow(by: max)
      if most < 0 || max < 0 || !overflow {
        return repetition(inner, min: min * least, max: most < 0 || max < 0 ? -1 : product)
      }
    }
    return intern(.repetition(part, min: nullable[Int(part)] ? 0 : min, max: max))
  }

  /// What may follow `symbol` in a text that `id` describes.
  ///
  /// A wrong answer, which is not kept, once the budget is used up.
  func derivative(_ id: PatternID, by symbol: UInt32) -> PatternID {
    switch nodes[Int(id)] {
    case .nothing, .epsilon: return Self.nothing
    case .set(let set): return set.contains(symbol) ? Self.epsilon : Self.nothing
    default: break
    }
    if let last = derivatives[Int(id)], last.symbol == symbol { return last.result }
    if heights[Int(id)] > Self.mostHeight { noteExhaustion() }
    if let left = workLeft {
      workLeft = left - 1
      if left <= 0 { isExhausted = true }
    }
    guard !isExhausted, heights[Int(id)] <= Self.mostHeight else { return Self.nothing }
    let result = derivativeOfCompound(id, by: symbol)
    if !isExhausted { derivatives[Int(id)] = (symbol, result) }
    return result
  }

  private func derivativeOfCompound(_ id: PatternID, by symbol: UInt32) -> PatternID {
    switch nodes[Int(id)] {
    case .nothing, .epsilon, .set: return derivative(id, by: symbol)
    case .sequence(let head, let tail):
      let first = sequence(derivative(head, by: symbol), tail)
      return nullable[Int(head)] ? union([first, derivative(tail, by: symbol)]) : first
    case .union(let parts):
      if let left = workLeft { workLeft = left - parts.count }
      return union(parts.map { derivative($0, by: symbol) })
    case .intersection(let parts):
      var results: [PatternID] = []
      for part in parts {
        let result = derivative(part, by: symbol)
        if result == Self.nothing { return result }
        results.append(result)
      }
      return intersection(results)
    case .complement(let part): return complement(derivative(part, by: symbol))
    case .repetition(let part, let min, let max):
      if id == Self.anything { return id }
      let rest = repetition(part, min: Swift.max(0, min - 1), max: max < 0 ? -1 : max - 1)
      return sequence(derivative(part, by: symbol), rest)
    }
  }
}
