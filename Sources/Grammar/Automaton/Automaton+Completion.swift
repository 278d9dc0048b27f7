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
      guard let (chunk, next) = nextChunk(state), result.count < 1_000_000 else { return nil }
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
    let (distance, served) = distance(frames[Int(id)])
    return distance << 32 - min(served, 1 << 31)
  }

  private func distance(_ top: Frame) -> (distance: Int, served: Int) {
    switch top.kind {
    case .end: return (0, 0)
    case .object:
      let step = ContainerPhase(packed: top.c).step
      if step == .open || step == .after, choices(top.b).canClose { return (1, 0) }
      let progress = step == .colon || step == .gap ? pending[top.d].progress : top.b
      return (4, objectProgress[progress].witnesses.nonzeroBitCount)
    case .array:
      let step = ContainerPhase(packed: top.c).step
      return ((step == .open || step == .after) && items(top.b).canClose ? 1 : 6, 0)
    case .literal: return (2, 0)
    case .key: return (3, 0)
    case .value, .leaf:
      let parent = frames[Int(top.parent)]
      let served = parent.kind == .array ? arrayProgress[parent.b].counts.reduce(0, +) : 0
      return (top.kind == .value ? 5 : top.c >= 0 ? 4 : 2, served)
    case .control, .sequence, .repetition: return (9, 0)
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

  /// Ways out of a string, number or text: the shortest, and for keys a few more that aren't there already.
  private func leafEnds(_ top: Frame) -> [[UInt8]] {
    guard let shortest = leafEnd(top.a, count: top.b, spec: top.d) else { return [] }
    let parent = frames[Int(top.parent)]
    return top.c < 0 || parent.kind != .object ? [shortest] : extraKeyEnds(top, parent, shortest: shortest)
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
