/// Text that ends what is open: each level is closed as soon as its bounds allow, with short values where some are missing.
extension Automaton {
  /// Bytes that complete the text; `nil` when only a control token could.
  func shortestCompletion(_ state: StateID) -> [UInt8]? {
    if isComplete(state) { return [] }
    var best: [UInt8]?
    for index in memberRange(state) {
      if let bytes = completion(of: members[index]), bytes.count < best?.count ?? Int.max { best = bytes }
    }
    return best
  }

  /// What completes frame `id` and everything below it.
  private func completion(of id: FrameID) -> [UInt8]? {
    var result: [UInt8] = []
    var state = self.state(of: [id])
    while !isComplete(state) {
      guard let (chunk, next) = nextChunk(state), result.count < 4_000_000 else { return nil }
      result += chunk
      state = next
    }
    return result
  }

  /// The next piece of a completion and the state after it, for the member that is nearest to its end.
  private func nextChunk(_ state: StateID) -> ([UInt8], StateID)? {
    let candidates = memberRange(state).map { members[$0] }.sorted { urgency($0) < urgency($1) }
    for id in candidates {
      let alone = self.state(of: [id])
      for chunk in chunks(frames[Int(id)], alone) {
        let next = step(alone, chunk)
        if next != 0, !chunk.isEmpty { return (chunk, next) }
      }
    }
    return nil
  }

  /// Smaller is nearer to the end; what serves more of the open conditions comes first among equals.
  private func urgency(_ id: FrameID) -> Int {
    let top = frames[Int(id)]
    switch top.kind {
    case .end: return 0
    case .object:
      let step = ContainerPhase(packed: top.c).step
      if step == .open || step == .after, choices(top.b).canClose { return 100 }
      let progress = step == .colon || step == .gap ? pending[top.d].progress : top.b
      return 400 - objectProgress[progress].witnesses.nonzeroBitCount
    case .array:
      let step = ContainerPhase(packed: top.c).step
      return (step == .open || step == .after) && items(top.b).canClose ? 100 : 600
    case .literal: return 200
    case .key: return 300
    case .value, .leaf:
      let parent = frames[Int(top.parent)]
      let served = parent.kind == .array ? arrayProgress[parent.b].counts.reduce(0, +) : 0
      return (top.kind == .value ? 500 : top.c >= 0 ? 400 : 200) - min(served, 90)
    case .control, .sequence, .repetition: return 900
    }
  }

  /// Texts that bring `top` nearer to its end, the best first.
  private func chunks(_ top: Frame, _ alone: StateID) -> [[UInt8]] {
    switch top.kind {
    case .end, .control, .sequence, .repetition: return []
    case .literal: return [Array(program.literals[Int(top.a)][Int(top.b)...])]
    case .leaf: return leafEnds(top)
    case .value: return shortValue(top.a, isCanonical: top.b == 1).map { [$0] } ?? []
    case .key: return keyEnds(top)
    case .object:
      switch ContainerPhase(packed: top.c).step {
      case .open: return choices(top.b).canClose ? [[0x7D]] : [[0x22]]
      case .after: return choices(top.b).canClose ? [[0x7D]] : [[0x2C]]
      case .comma: return [[0x22], [0x20]]
      case .colon: return [[0x3A]]
      case .gap: return [[0x20]]
      case .key, .value: return []
      }
    case .array:
      switch ContainerPhase(packed: top.c).step {
      case .open: return items(top.b).canClose ? [[0x5D]] : []
      case .after: return items(top.b).canClose ? [[0x5D]] : [[0x2C]]
      case .comma: return [[0x20]]
      default: return []
      }
    }
  }

  /// The rest of a declared key, required ones first.
  private func keyEnds(_ top: Frame) -> [[UInt8]] {
    let record = schemas.objects[Int(top.a)]
    let names = choices(frames[Int(top.parent)].b).names
    let open = record.trie.nodes[Int(top.b)].names.map { Int($0) }.filter { names[$0] }.sorted()
    let wanted = open.filter { record.isRequired[$0] } + open.filter { !record.isRequired[$0] }
    let depth = record.trie.depth(of: Int(top.b))
    return wanted.map { Array(SchemaCompiler.spelling(record.names[$0]).dropFirst(depth)) }
  }

  /// Ways out of a string, number or text: the shortest, and for captured ones a few more that differ.
  private func leafEnds(_ top: Frame) -> [[UInt8]] {
    guard let shortest = leafEnd(top.a, count: top.b, spec: top.d) else { return [] }
    if top.c < 0 { return [shortest] }
    var result = [shortest]
    // The shortest may be a key that is there already, so others are offered.
    var heads: [(bytes: [UInt8], leaf: LeafID)] = [([], top.a)]
    while result.count < 300, let (bytes, leaf) = heads.first {
      heads.removeFirst()
      for byte in leaves.liveBytes(leaf).members where byte >= 0x30 && byte < 0x7F && byte != 0x5C {
        let target = leaves.target(leaf, Int(byte))
        if let end = leafEnd(target, count: 0, spec: -1) { result.append(bytes + [byte] + end) }
        if heads.count < 200 { heads.append((bytes + [byte], target)) }
      }
    }
    return result
  }

  /// The shortest way from a leaf state to one where it may end.
  private func leafEnd(_ leaf: LeafID, count: Int32, spec: Int32) -> [UInt8]? {
    let key = LeafPlace(leaf: leaf, count: spec < 0 ? 0 : count, spec: spec)
    if let known = leafEnds[key] { return known }
    // Escapes are many states that lead nowhere else, so they are tried only where nothing else helps.
    let end =
      leafEnd(leaf, count: count, spec: spec, usesEscapes: false)
      ?? leafEnd(leaf, count: count, spec: spec, usesEscapes: true)
    leafEnds[key] = .some(end)
    return end
  }

  private func leafEnd(_ leaf: LeafID, count: Int32, spec: Int32, usesEscapes: Bool) -> [UInt8]? {
    struct Place: Hashable {
      let leaf: LeafID
      let count: Int32
    }
    let start = Place(leaf: leaf, count: count)
    var origins: [Place: (from: Place, byte: UInt8)] = [:]
    var queue = [start]
    var head = 0
    var best: [UInt8]?
    func path(to place: Place) -> [UInt8] {
      var bytes: [UInt8] = []
      var back = place
      while let origin = origins[back] {
        bytes.append(origin.byte)
        back = origin.from
      }
      return bytes.reversed()
    }
    while head < queue.count, queue.count < 500_000 {
      let place = queue[head]
      head += 1
      if leaves.isAccepting[Int(place.leaf)], spec < 0 || admits(spec, place.leaf, place.count) {
        let bytes = path(to: place)
        if let best, best.count <= bytes.count { return best }
        return bytes
      }
      if let end = leaves.ending(of: place.leaf) {
        let bytes = path(to: place) + end
        if bytes.count < best?.count ?? .max { best = bytes }
        continue
      }
      var seen: Set<LeafID> = []
      let live = leaves.liveBytes(place.leaf)
      for byte in Self.plainFirst where live.contains(byte) {
        let target = leaves.target(place.leaf, Int(byte))
        guard target != 0, usesEscapes || byte != 0x5C, seen.insert(target).inserted else { continue }
        var next = Place(leaf: target, count: place.count)
        if spec >= 0 {
          if leaves.isBoundary[Int(target)], !leaves.isStart[Int(place.leaf)] {
            next = Place(leaf: target, count: place.count + 1)
          }
          guard admits(spec, target, next.count) else { continue }
        }
        guard next != start, origins[next] == nil else { continue }
        origins[next] = (place, byte)
        queue.append(next)
      }
    }
    return best
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

  /// A short text of a value: a scalar if there is one.
  private func shortValue(_ id: SchemaID, isCanonical: Bool) -> [UInt8]? {
    if let known = shortValues[id] { return known }
    guard shortValuesInProgress.insert(id).inserted, let node = try? schemas.node(id, isCanonical: isCanonical)
    else { return nil }
    defer { shortValuesInProgress.remove(id) }
    var found: [[UInt8]] = []
    if node.allowsNull { found.append(Array("null".utf8)) }
    if node.allowsTrue { found.append(Array("true".utf8)) }
    if node.allowsFalse { found.append(Array("false".utf8)) }
    for string in node.strings {
      if let end = leafEnd(string.leaf, count: 0, spec: string.spec) { found.append(end) }
    }
    for leaf in node.numbers { if let end = leafEnd(leaf, count: 0, spec: -1) { found.append(end) } }
    if found.isEmpty {
      let end = frame(Frame(kind: .end))
      let value = state(of: [frame(Frame(kind: .value, a: id, parent: end))])
      for opening in [UInt8(ascii: "{"), UInt8(ascii: "[")] {
        let opened = step(value, opening)
        for index in memberRange(opened) {
          if let rest = completion(of: members[index]) { found.append([opening] + rest) }
        }
      }
    }
    let best = found.min { $0.count < $1.count }
    if let best { shortValues[id] = best }
    return best
  }
}

/// A place inside a string, number or text: leaf state, code points read, length bounds.
struct LeafPlace: Hashable {
  let leaf: LeafID
  let count: Int32
  let spec: Int32
}

extension KeyTrie {
  /// Bytes from the root to `node`.
  func depth(of node: Int) -> Int {
    guard let name = nodes[node].names.first else { return 0 }
    var place = 0
    var depth = 0
    while place != node, let next = nodes[place].children.first(where: { nodes[Int($0.node)].names.contains(name) }) {
      place = Int(next.node)
      depth += 1
    }
    return depth
  }
}
