/// The ends of strings, numbers and texts that have been begun.
extension Automaton {
  /// The shortest way from a leaf state to one where it may end.
  func leafEnd(_ leaf: LeafID, count: Int32, spec: Int32) -> [UInt8]? {
    let key = LeafPlace(leaf: leaf, count: spec < 0 ? 0 : count, spec: spec)
    if let known = leafEnds[key] { return known }
    var filling: [UInt8] = []
    var start = key
    if spec >= 0, schemas.stringSpecs[Int(spec)].minimum - count > 8 {
      guard let filled = fill(leaf, count, spec) else { return nil }
      filling = filled.bytes
      start = LeafPlace(leaf: filled.leaf, count: filled.count, spec: spec)
    }
    let result = search(from: start).map { filling + $0 }
    // Long ones would be kept once for every place on their way.
    if filling.count < 256 { leafEnds[key] = .some(result) }
    return result
  }

  /// Breadth first. Between two characters a step is a character, the plainest that leads to a state, and not a byte: inside
  /// characters there are many states that lead nowhere else.
  private func search(from start: LeafPlace) -> [UInt8]? {
    var origins: [LeafPlace: (from: LeafPlace, text: [UInt8])] = [:]
    var queue = [start]
    var head = 0
    var best: [UInt8]?
    func path(to place: LeafPlace) -> [UInt8] {
      var parts: [[UInt8]] = []
      var back = place
      while let origin = origins[back] {
        parts.append(origin.text)
        back = origin.from
      }
      return parts.reversed().flatMap { $0 }
    }
    while head < queue.count, queue.count < 100_000 {
      let place = queue[head]
      head += 1
      if leaves.isAccepting[Int(place.leaf)], place.spec < 0 || admits(place.spec, place.leaf, place.count) {
        let bytes = path(to: place)
        if let best, best.count <= bytes.count { return best }
        return bytes
      }
      if let end = leaves.ending(of: place.leaf) {
        let bytes = path(to: place) + end
        if bytes.count < best?.count ?? .max { best = bytes }
        continue
      }
      for (target, text) in ways(from: place.leaf) {
        var next = LeafPlace(leaf: target, count: place.count, spec: place.spec)
        if place.spec >= 0 {
          if leaves.isBoundary[Int(target)], !leaves.isStart[Int(place.leaf)] {
            next = LeafPlace(leaf: target, count: place.count + 1, spec: place.spec)
          }
          guard admits(place.spec, target, next.count) else { continue }
        }
        guard next != start, origins[next] == nil else { continue }
        origins[next] = (place, text)
        queue.append(next)
      }
    }
    return best
  }

  /// The states that can be reached from `leaf`, each with the plainest text that leads there.
  private func ways(from leaf: LeafID) -> [(target: LeafID, text: [UInt8])] {
    if case .string(let string) = leaves.leaves[Int(leaf)], string.phase == .body {
      return leaves.ways(from: string)
    }
    let live = leaves.liveBytes(leaf)
    var seen: Set<LeafID> = []
    var result: [(target: LeafID, text: [UInt8])] = []
    for byte in Self.plainFirst where live.contains(byte) {
      let target = leaves.target(leaf, Int(byte))
      if target != 0, seen.insert(target).inserted { result.append((target, [byte])) }
    }
    return result
  }

  /// Characters up to the least length of a string. Each may be any from which an end can still be reached, which `admits`
  /// tells: every text of that length has as many characters.
  private func fill(_ leaf: LeafID, _ count: Int32, _ spec: Int32) -> (bytes: [UInt8], leaf: LeafID, count: Int32)? {
    let minimum = schemas.stringSpecs[Int(spec)].minimum
    var (leaf, count) = (leaf, count)
    var bytes: [UInt8] = []
    while count < minimum {
      let live = leaves.liveBytes(leaf)
      var isStuck = true
      for byte in Self.plainFirst where live.contains(byte) {
        let target = leaves.target(leaf, Int(byte))
        let after = leaves.isBoundary[Int(target)] && !leaves.isStart[Int(leaf)] ? count + 1 : count
        guard target != 0, admits(spec, target, after) else { continue }
        bytes.append(byte)
        (leaf, count) = (target, after)
        isStuck = false
        break
      }
      if isStuck || bytes.count > 1_000_000 { return nil }
    }
    return (bytes, leaf, count)
  }

  /// All bytes, the plainest first.
  private static let plainFirst = (UInt8.min...UInt8.max).sorted { (plainness($0), $0) < (plainness($1), $1) }

  /// Letters and digits before everything else.
  private static func plainness(_ byte: UInt8) -> Int {
    switch byte {
    case 0x22: 0
    case 0x61...0x7A: 1
    case 0x30...0x39: 2
    case 0x21...0x5B, 0x5D...0x7E: 3
    case 0x20: 4
    case 0x5C: 6
    default: 5
    }
  }
}

/// A place inside a string, number or text: leaf state, code points read, length bounds.
struct LeafPlace: Hashable {
  let leaf: LeafID
  let count: Int32
  let spec: Int32
}

extension LeafStore {
  /// From a place between two characters: the end, and one character for each state that can be reached.
  fileprivate func ways(from string: StringLeaf) -> [(target: LeafID, text: [UInt8])] {
    var result: [(target: LeafID, text: [UInt8])] = []
    let isBare = string.form == .bare
    if !isBare, patterns.accepts(string.pattern) {
      let end = StringLeaf(phase: .done, form: string.form, pattern: PatternStore.epsilon)
      result.append((intern(.string(end)), [0x22]))
    }
    let row = patterns.row(string.pattern)
    var characters: [PatternID: (rank: Int, character: Unicode.Scalar)] = [:]
    for (index, target) in row.targets.enumerated() where target != PatternStore.nothing && patterns.isAlive(target) {
      let end = index + 1 < row.starts.count ? row.starts[index + 1] - 1 : CodePointSet.last
      guard let found = Self.plainest(row.starts[index]...max(end, row.starts[index])) else { continue }
      if found.rank < characters[target]?.rank ?? .max { characters[target] = found }
    }
    for (target, found) in characters.sorted(by: { ($0.value.rank, $0.key) < ($1.value.rank, $1.key) }) {
      let text = String(found.character)
      let next = StringLeaf(phase: .body, form: string.form, pattern: target)
      result.append(
        (intern(.string(next)), isBare ? Array(text.utf8) : Array(jsonSpelling(text).dropFirst().dropLast())))
    }
    return result
  }

  /// Letters and digits before everything else, and what is written with an escape last.
  private static let plain: [ClosedRange<UInt32>] = [
    0x61...0x7A, 0x30...0x39, 0x41...0x5A, 0x23...0x40, 0x5B...0x5B, 0x5D...0x7E, 0x21...0x21, 0x20...0x20,
    0x7F...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF, 0x0...0x7F,
  ]

  /// A character between two code points; the smaller its rank, the plainer.
  private static func plainest(_ range: ClosedRange<UInt32>) -> (rank: Int, character: Unicode.Scalar)? {
    for (rank, wanted) in plain.enumerated() where range.overlaps(wanted) {
      if let character = Unicode.Scalar(range.clamped(to: wanted).lowerBound) { return (rank, character) }
    }
    return nil
  }
}
