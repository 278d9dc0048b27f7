import JSON

/// What each kind of frame does with a byte, and what follows when it is complete.
extension Automaton {
  /// Adds the frames that follow `id` after `byte`.
  func advance(_ id: FrameID, _ byte: UInt8) {
    let top = frames[Int(id)]
    switch top.kind {
    case .end, .control, .sequence, .repetition: break
    case .literal:
      let literal = program.literals[Int(top.a)]
      guard literal[Int(top.b)] == byte else { return }
      if Int(top.b) + 1 == literal.count {
        resume(top.parent)
      } else {
        add(Frame(kind: .literal, a: top.a, b: top.b + 1, parent: top.parent))
      }
    case .leaf:
      let target = leaves.target(top.a, Int(byte))
      if target != 0 { enterLeaf(target, from: top, byte) }
    case .value: enterValue(top, byte)
    case .object: advanceObject(top, byte)
    case .key: advanceKey(top, byte)
    case .array: advanceArray(top, byte)
    }
  }

  /// Adds what may begin with production `id`.
  func push(_ id: Int32, parent: FrameID) {
    switch program.productions[Int(id)] {
    case .literal(let literal): pushLiteral(literal, parent: parent)
    case .json(let schema): add(Frame(kind: .value, a: schema, parent: parent))
    case .leaf(let leaf): addLeaf(leaf, count: 0, capture: -1, spec: -1, parent: parent)
    case .sequence(let parts):
      if let first = parts.first {
        push(first, parent: parts.count == 1 ? parent : frame(Frame(kind: .sequence, a: id, b: 1, parent: parent)))
      } else {
        resume(parent)
      }
    case .choice(let parts): for part in parts { push(part, parent: parent) }
    case .repeated(let part, let min, let max, _):
      if min == 0 { resume(parent) }
      if max != 0 { push(part, parent: frame(Frame(kind: .repetition, a: id, b: 0, parent: parent))) }
    case .control(let spelling, let literal):
      if let token = vocabulary.controls[spelling] {
        add(Frame(kind: .control, a: Int32(truncatingIfNeeded: token), parent: parent))
      } else {
        pushLiteral(literal, parent: parent)
      }
    }
  }

  private func pushLiteral(_ literal: Int32, parent: FrameID) {
    if program.literals[Int(literal)].isEmpty {
      resume(parent)
    } else {
      add(Frame(kind: .literal, a: literal, parent: parent))
    }
  }

  /// Adds what may follow when a part of `id` is complete.
  func resume(_ id: FrameID) {
    let top = frames[Int(id)]
    switch top.kind {
    case .end: add(top)
    case .sequence:
      guard case .sequence(let parts) = program.productions[Int(top.a)] else { return }
      let next = Int(top.b)
      // The last part needs no frame: when it is complete, so is the sequence.
      push(
        parts[next],
        parent: next + 1 == parts.count
          ? top.parent : frame(Frame(kind: .sequence, a: top.a, b: top.b + 1, parent: top.parent)))
    case .repetition: resumeRepetition(id, top)
    case .object:
      let phase = ContainerPhase(packed: top.c).behindValue
      add(Frame(kind: .object, a: top.a, b: top.b, c: phase.packed, parent: top.parent))
    case .array: resumeArray(top)
    case .literal, .leaf, .value, .key, .control: break
    }
  }

  private func resumeRepetition(_ id: FrameID, _ top: Frame) {
    guard case .repeated(let part, let min, let max, let separator) = program.productions[Int(top.a)] else { return }
    if top.c == 1 {
      push(part, parent: frame(Frame(kind: .repetition, a: top.a, b: top.b, parent: top.parent)))
      return
    }
    // Without an upper bound only the missing items count.
    let count = max < 0 ? Swift.min(top.b + 1, Swift.max(min, 1)) : top.b + 1
    if count >= min { resume(top.parent) }
    guard max < 0 || count < max else { return }
    // An item that may be empty would come back here for ever.
    if repetitionsInProgress.contains(id) { return }
    repetitionsInProgress.append(id)
    defer { repetitionsInProgress.removeLast() }
    if separator >= 0 {
      pushLiteral(separator, parent: frame(Frame(kind: .repetition, a: top.a, b: count, c: 1, parent: top.parent)))
    } else {
      push(part, parent: frame(Frame(kind: .repetition, a: top.a, b: count, parent: top.parent)))
    }
  }

  // MARK: Leaves

  private func enterLeaf(_ target: LeafID, from top: Frame, _ byte: UInt8) {
    var count = top.b
    if top.d >= 0, leaves.isBoundary[Int(target)], !leaves.isStart[Int(top.a)] { count += 1 }
    let capture = top.c >= 0 ? captures.append(byte, to: top.c) : -1
    addLeaf(target, count: count, capture: capture, spec: top.d, parent: top.parent)
  }

  /// Adds a leaf state, and what follows it where it may end.
  func addLeaf(_ leaf: LeafID, count: Int32, capture: CaptureID, spec: Int32, parent: FrameID) {
    var count = count
    if spec >= 0 {
      guard admits(spec, leaf, count) else { return }
      let bounds = schemas.stringSpecs[Int(spec)]
      if bounds.maximum == nil { count = min(count, bounds.minimum) }
    }
    if leaves.isAccepting[Int(leaf)] {
      if capture >= 0 { resumeCapture(parent, capture) } else { resume(parent) }
    }
    if !leaves.liveBytes(leaf).isEmpty {
      add(Frame(kind: .leaf, a: leaf, b: count, c: capture, d: spec, parent: parent))
    }
  }

  /// Whether a string that is in state `leaf` after `count` code points can end within its length bounds.
  func admits(_ spec: Int32, _ leaf: LeafID, _ count: Int32) -> Bool {
    let bounds = schemas.stringSpecs[Int(spec)]
    guard case .string(let string) = leaves.leaves[Int(leaf)] else { return true }
    switch string.phase {
    case .done: return count >= bounds.minimum
    case .start: return true
    case .body:
      if let maximum = bounds.maximum, count > maximum { return false }
      guard bounds.lengths >= 0 else { return true }
      return schemas.lengths[Int(bounds.lengths)].allows(
        string.pattern, minimum: Int(bounds.minimum - count), maximum: bounds.maximum.map { Int($0 - count) })
    default:
      // Inside a character, which will count.
      if let maximum = bounds.maximum, count >= maximum { return false }
      guard bounds.lengths >= 0 else { return true }
      return leaves.liveBytes(leaf).members.contains { byte in
        let target = leaves.target(leaf, Int(byte))
        return admits(spec, target, leaves.isBoundary[Int(target)] ? count + 1 : count)
      }
    }
  }

  // MARK: Values

  private func enterValue(_ top: Frame, _ byte: UInt8) {
    let isCaptured = top.b == 1
    guard let node = try? schemas.node(top.a, isCanonical: isCaptured), node.live.contains(byte) else { return }
    switch byte {
    case UInt8(ascii: "\""):
      for string in node.strings {
        let target = leaves.target(string.leaf, Int(byte))
        if target == 0 { continue }
        let capture = isCaptured ? captures.append(byte, to: 0) : -1
        addLeaf(target, count: 0, capture: capture, spec: string.spec, parent: top.parent)
      }
    case UInt8(ascii: "{"):
      let depth = depth(below: top.parent)
      if depth >= program.options.maximumDepth, node.hasScalar { return }
      for record in node.objects {
        let progress = objectProgress.id(ObjectProgress(record: record))
        let phase = ContainerPhase(.open, depth: depth)
        add(Frame(kind: .object, a: record, b: progress, c: phase.packed, parent: top.parent))
      }
    case UInt8(ascii: "["):
      let depth = depth(below: top.parent)
      if depth >= program.options.maximumDepth, node.hasScalar { return }
      for record in node.arrays {
        let counts = schemas.arrays[Int(record)].contains.map { _ in 0 }
        let progress = arrayProgress.id(ArrayProgress(record: record, counts: counts))
        openArray(record, progress, depth, blanks: 0, parent: top.parent)
      }
    case UInt8(ascii: "t"): enterWord(GrammarProgram.trueLiteral, .boolean(true), top, isCaptured)
    case UInt8(ascii: "f"): enterWord(GrammarProgram.falseLiteral, .boolean(false), top, isCaptured)
    case UInt8(ascii: "n"): enterWord(GrammarProgram.nullLiteral, .null, top, isCaptured)
    default:
      for leaf in node.numbers {
        let target = leaves.target(leaf, Int(byte))
        if target == 0 { continue }
        let capture = isCaptured ? captures.append(byte, to: 0) : -1
        addLeaf(target, count: 0, capture: capture, spec: -1, parent: top.parent)
      }
    }
  }

  private func enterWord(_ literal: Int32, _ value: JSONValue, _ top: Frame, _ isCaptured: Bool) {
    let parent = isCaptured ? remember(value, in: top.parent) : top.parent
    add(Frame(kind: .literal, a: literal, b: 1, parent: parent))
  }

  /// The nesting depth of a value whose parent is `parent`.
  private func depth(below parent: FrameID) -> Int32 {
    let frame = frames[Int(parent)]
    guard frame.kind == .object || frame.kind == .array else { return 0 }
    return ContainerPhase(packed: frame.c).depth + 1
  }

  // MARK: Live bytes

  func liveBytes(_ top: Frame) -> ByteSet {
    switch top.kind {
    case .end, .control, .sequence, .repetition: return ByteSet()
    case .literal: return ByteSet([program.literals[Int(top.a)][Int(top.b)]])
    case .leaf: return leaves.liveBytes(top.a)
    case .value: return (try? schemas.node(top.a, isCanonical: top.b == 1).live) ?? ByteSet()
    case .object: return liveBytesOfObject(top)
    case .key: return liveBytesOfKey(top)
    case .array: return liveBytesOfArray(top)
    }
  }
}
