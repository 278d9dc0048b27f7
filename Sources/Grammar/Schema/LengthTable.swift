/// Which text lengths a pattern leaves possible from each of its states.
struct LengthTable {
  private var states: [PatternID: Int] = [:]
  /// Code points to the nearest end.
  private var shortest: [Int] = []
  /// Code points to the farthest end; `nil`: no limit.
  private var longest: [Int?] = []
  /// `exact[state]`: bit `n` is set when a text of length `n` leads to an end. Empty unless both bounds are asked.
  private var exact: [[UInt64]] = []

  /// From every state there are texts without end.
  var isEndless: Bool { longest.allSatisfy { $0 == nil } }

  /// The largest of the shortest ways to an end.
  private(set) var depth = 0

  /// - Returns: `nil` when the pattern has too many states for that.
  init?(_ pattern: PatternID, minimum: Int, maximum: Int?, in store: PatternStore) {
    var order: [PatternID] = [pattern]
    states[pattern] = 0
    var edges: [[Int]] = []
    var place = 0
    while place < order.count {
      var targets: [Int] = []
      for target in store.row(order[place]).targets where target != PatternStore.nothing && store.isAlive(target) {
        let state = states[target] ?? order.count
        if state == order.count {
          states[target] = state
          order.append(target)
        }
        if !targets.contains(state) { targets.append(state) }
      }
      edges.append(targets)
      place += 1
      if order.count > 4_000 { return nil }
    }
    let isEnd = order.map { store.accepts($0) }
    shortest = isEnd.map { $0 ? 0 : Int.max }
    var changed = true
    while changed {
      changed = false
      for state in order.indices.reversed() {
        for target in edges[state] where shortest[target] < Int.max && shortest[target] + 1 < shortest[state] {
          shortest[state] = shortest[target] + 1
          changed = true
        }
      }
    }
    depth = shortest.filter { $0 < Int.max }.max() ?? 0
    longest = Self.longest(edges)
    if let maximum, minimum > 0 {
      let words = maximum / 64 + 1
      guard words * order.count <= 400_000 else { return nil }
      var current = isEnd
      exact = Array(repeating: Array(repeating: 0, count: words), count: order.count)
      for length in 0...maximum {
        for state in order.indices where current[state] {
          exact[state][length / 64] |= 1 << UInt64(length % 64)
        }
        current = order.indices.map { state in edges[state].contains { current[$0] } }
        if !current.contains(true) { break }
      }
    }
  }

  /// All states are alive, so a state from which a loop can be reached has no longest way.
  private static func longest(_ edges: [[Int]]) -> [Int?] {
    var waiting = edges.map(\.count)
    var sources = [[Int]](repeating: [], count: edges.count)
    for (state, targets) in edges.enumerated() { for target in targets { sources[target].append(state) } }
    var result = [Int?](repeating: nil, count: edges.count)
    var queue = edges.indices.filter { edges[$0].isEmpty }
    while let state = queue.popLast() {
      result[state] = (edges[state].map { result[$0] ?? 0 }.max() ?? -1) + 1
      for source in sources[state] {
        waiting[source] -= 1
        if waiting[source] == 0 { queue.append(source) }
      }
    }
    return result
  }

  /// Whether some text of a length between the bounds leads from `state` to an end.
  func allows(_ state: PatternID, minimum: Int, maximum: Int?) -> Bool {
    guard let index = states[state], shortest[index] < Int.max else { return false }
    if let maximum, shortest[index] > maximum { return false }
    if minimum <= 0 { return true }
    guard let maximum else { return longest[index].map { $0 >= minimum } ?? true }
    guard !exact.isEmpty else { return true }
    for length in minimum...max(minimum, maximum) where length <= maximum {
      if exact[index][length / 64] >> UInt64(length % 64) & 1 == 1 { return true }
    }
    return false
  }
}
