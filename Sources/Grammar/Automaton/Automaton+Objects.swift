import JSON

/// Objects: brackets, commas, keys.
extension Automaton {
  private func object(_ top: Frame, _ phase: ContainerPhase, progress: Int32? = nil, pending: Int32 = 0) -> Frame {
    Frame(kind: .object, a: top.a, b: progress ?? top.b, c: phase.packed, d: pending, parent: top.parent)
  }

  // MARK: Steps

  func advanceObject(_ top: Frame, _ byte: UInt8) {
    let phase = ContainerPhase(packed: top.c)
    if let next = blank(phase, byte) {
      if phase.step == .gap { enterGap(top, next) } else { add(object(top, next, pending: top.d)) }
      return
    }
    guard hasEnoughBlanks(phase) else { return }
    switch (phase.step, byte) {
    case (.open, UInt8(ascii: "}")), (.after, UInt8(ascii: "}")):
      if choices(top.b).canClose { resume(top.parent) }
    case (.after, UInt8(ascii: ",")):
      if choices(top.b).hasMore { add(object(top, ContainerPhase(.comma, depth: phase.depth))) }
    case (.open, UInt8(ascii: "\"")), (.comma, UInt8(ascii: "\"")): beginKey(top, phase)
    case (.colon, UInt8(ascii: ":")): enterGap(top, ContainerPhase(.gap, depth: phase.depth))
    default: break
    }
  }

  private func enterGap(_ top: Frame, _ phase: ContainerPhase) {
    let allowed = blanks(.gap).allowed
    if phase.blanks < allowed { add(object(top, phase, pending: top.d)) }
    guard hasEnoughBlanks(phase) else { return }
    let member = pending[top.d]
    let parent = frame(object(top, ContainerPhase(.value, depth: phase.depth), progress: member.progress))
    add(Frame(kind: .value, a: member.value, parent: parent))
  }

  private func beginKey(_ top: Frame, _ phase: ContainerPhase) {
    let choices = choices(top.b)
    guard choices.hasMore else { return }
    let parent = frame(object(top, ContainerPhase(.key, depth: phase.depth)))
    if choices.hasName { add(Frame(kind: .key, a: top.a, b: 0, parent: parent)) }
    if choices.extra != 0 {
      let target = leaves.target(choices.extra, 0x22)
      if target != 0 { addLeaf(target, count: 0, capture: 0, spec: -1, parent: parent) }
    }
  }

  func advanceKey(_ top: Frame, _ byte: UInt8) {
    let record = schemas.objects[Int(top.a)]
    let parent = frames[Int(top.parent)]
    let choices = choices(parent.b)
    for child in record.trie.nodes[Int(top.b)].children where child.byte == byte {
      let node = record.trie.nodes[Int(child.node)]
      if node.name >= 0 {
        if choices.names[Int(node.name)] { finishKey(parent, record, name: Int(node.name)) }
      } else if node.names.contains(where: { choices.names[Int($0)] }) {
        add(Frame(kind: .key, a: top.a, b: child.node, parent: top.parent))
      }
    }
  }

  private func finishKey(_ top: Frame, _ record: ObjectRecord, name: Int) {
    let before = objectProgress[top.b]
    let special = record.witnesses.indices.compactMap { index in
      record.witnessValues[index][name].map { (index, $0) }
    }
    for variant in variants(before, value: record.values[name], special) {
      var after = self.after(before, record, name: name)
      after.witnesses = variant.witnesses
      if isFeasible(after, record) { colon(top, after, variant.value) }
    }
  }

  /// What a member can be: for each set of witnesses that it may serve as, the schema of its value. A witness that asks
  /// nothing more of the value is always served.
  private func variants(
    _ before: ObjectProgress, value: SchemaID, _ special: [(index: Int, value: SchemaID)]
  ) -> [(value: SchemaID, witnesses: UInt32)] {
    var witnesses = before.witnesses
    var open: [(index: Int, value: SchemaID)] = []
    for (index, stronger) in special where before.witnesses >> UInt32(index) & 1 == 0 {
      if stronger == value { witnesses |= 1 << UInt32(index) } else { open.append((index, stronger)) }
    }
    var result: [(value: SchemaID, witnesses: UInt32)] = []
    for subset in 0..<(1 << min(open.count, 6)) {
      var parts = [value]
      var served = witnesses
      for (place, witness) in open.enumerated() where subset >> place & 1 == 1 {
        parts.append(witness.value)
        served |= 1 << UInt32(witness.index)
      }
      let both = schemas.table.and(parts)
      if subset.nonzeroBitCount > 1, !((try? schemas.isInhabited(both)) ?? false) { continue }
      result.append((both, served))
    }
    return result
  }

  private func colon(_ top: Frame, _ after: ObjectProgress, _ value: SchemaID) {
    let phase = ContainerPhase(.colon, depth: ContainerPhase(packed: top.c).depth)
    let member = pending.id(PendingMember(progress: objectProgress.id(after), value: value))
    add(object(top, phase, pending: member))
  }

  /// A captured key or unique item is complete.
  func resumeCapture(_ id: FrameID, _ capture: CaptureID) {
    let top = frames[Int(id)]
    guard
      let value = try? JSONValue(
        parsing: top.kind == .object ? [0x22] + captures.text(capture) : captures.text(capture))
    else { return }
    if top.kind == .array {
      resume(remember(value, in: id))
      return
    }
    guard top.kind == .object, case .string(let text) = value else { return }
    let record = schemas.objects[Int(top.a)]
    let before = objectProgress[top.b]
    guard !before.extras.contains(capture) else { return }
    let key = Key(text)
    var after = before
    after.last = Int32(record.names.count)
    after.extras.append(capture)
    after.extras.sort()
    after.count = counted(before.count, record)
    let rules = record.extraRules.filter { schemas.contains($0.keys, key) }.map(\.value)
    let common = schemas.table.and(rules)
    let special = record.witnesses.indices.compactMap { index -> (index: Int, value: SchemaID)? in
      guard schemas.contains(record.witnesses[index].keys, key) else { return nil }
      let both = schemas.table.and([common, record.witnesses[index].value])
      return ((try? schemas.isInhabited(both)) ?? false) ? (index, both) : nil
    }
    for variant in variants(before, value: common, special) {
      after.witnesses = variant.witnesses
      if isFeasible(after, record) { colon(top, after, variant.value) }
    }
  }

  // MARK: Choices

  private func counted(_ count: Int32, _ record: ObjectRecord) -> Int32 {
    record.maximum == nil ? min(count + 1, Int32(clamping: record.minimum)) : count + 1
  }

  private func after(_ before: ObjectProgress, _ record: ObjectRecord, name: Int) -> ObjectProgress {
    var after = before
    if program.options.keyOrder == .any {
      while after.seen.count <= name >> 6 { after.seen.append(0) }
      after.seen[name >> 6] |= 1 << UInt64(name & 63)
    } else {
      after.last = Int32(name)
    }
    after.count = counted(before.count, record)
    return after
  }

  /// Whether an object that has come so far can be completed.
  private func isFeasible(_ progress: ObjectProgress, _ record: ObjectRecord) -> Bool {
    let isAny = program.options.keyOrder == .any
    let next = Int(progress.last) + 1
    var required = 0
    var optional = 0
    if isAny {
      for index in record.names.indices where !progress.has(index) {
        if record.isRequired[index] { required += 1 } else { optional += 1 }
      }
    } else {
      let place = min(next, record.names.count)
      required = record.requiredFrom[place]
      optional = record.optionalFrom[place]
    }
    func remains(_ name: Int) -> Bool { isAny ? !progress.has(name) : name >= next }
    var open = 0
    var extraLeft = record.extra == 0 ? 0 : 1
    if record.extra != 0, !record.witnesses.isEmpty || Int(progress.count) + required + optional < record.minimum {
      extraLeft = schemas.extraBounds(record).count.map { max(0, $0 - progress.extras.count) } ?? Int.max / 4
    }
    for (index, values) in record.witnessValues.enumerated() where progress.witnesses >> UInt32(index) & 1 == 0 {
      let names = values.keys.filter { remains($0) }
      if names.isEmpty {
        guard record.extraCanWitness[index], extraLeft > 0, extraCanStillWitness(record, index, progress.extras) else {
          return false
        }
      }
      if !names.contains(where: { record.isRequired[$0] }) { open += 1 }
    }
    if let maximum = record.maximum, Int(progress.count) + required + open > maximum { return false }
    return Int(progress.count) + required + optional + extraLeft >= record.minimum
  }

  /// Whether an undeclared key that is not there yet can be the witness.
  private func extraCanStillWitness(_ record: ObjectRecord, _ index: Int, _ extras: [CaptureID]) -> Bool {
    if extras.isEmpty || schemas.extraBounds(record).isOpen { return true }
    let keys = schemas.language(record.witnesses[index].keys)
    return leaves.patterns.isAlive(leaves.patterns.intersection([record.extraPattern, keys, complement(of: extras)]))
  }

  /// All keys but these.
  func complement(of extras: [CaptureID]) -> PatternID {
    let texts = extras.filter { $0 != CaptureID.max }.compactMap {
      try? JSONValue(parsing: [0x22] + captures.text($0)).stringValue
    }
    return leaves.patterns.complement(leaves.patterns.literals(texts))
  }

  /// What may come next after `progress`.
  func choices(_ progress: Int32) -> ObjectChoices {
    while objectChoices.count <= Int(progress) { objectChoices.append(nil) }
    if let known = objectChoices[Int(progress)] { return known }
    let before = objectProgress[progress]
    let record = schemas.objects[Int(before.record)]
    let isAny = program.options.keyOrder == .any
    let allWitnesses = before.witnesses == (1 << UInt32(record.witnesses.count)) - 1
    var choices = ObjectChoices(names: Array(repeating: false, count: record.names.count))
    var requiredLeft = false
    for name in record.names.indices {
      if isAny ? before.has(name) : name <= before.last { continue }
      var best = after(before, record, name: name)
      for index in record.witnesses.indices where record.witnessValues[index][name] != nil {
        best.witnesses |= 1 << UInt32(index)
      }
      let isPossible = isFeasible(best, record)
      if isPossible, isAny || !requiredLeft {
        choices.names[name] = true
        choices.hasName = true
      }
      if record.isRequired[name] { requiredLeft = true }
    }
    choices.canClose = !requiredLeft && allWitnesses && Int(before.count) >= record.minimum
    if record.extra != 0, isAny || !requiredLeft { choices.extra = extraChoice(before, record) }
    objectChoices[Int(progress)] = choices
    return choices
  }

  /// The first state of a further undeclared key, dead when there can be none.
  private func extraChoice(_ before: ObjectProgress, _ record: ObjectRecord) -> LeafID {
    var after = before
    after.last = Int32(record.names.count)
    after.extras.append(CaptureID.max)
    after.count = counted(before.count, record)
    if isFeasible(after, record) { return extraLeaf(record, record.extraPattern, without: before.extras) }
    // There is no room for a key that is not a witness.
    var languages: [PatternID] = []
    for index in record.witnesses.indices
    where before.witnesses >> UInt32(index) & 1 == 0 && record.extraCanWitness[index] {
      var variant = after
      variant.witnesses |= 1 << UInt32(index)
      if isFeasible(variant, record) { languages.append(schemas.language(record.witnesses[index].keys)) }
    }
    let patterns = leaves.patterns
    let language = patterns.intersection([record.extraPattern, patterns.union(languages)])
    return patterns.isAlive(language) ? extraLeaf(record, language, without: before.extras) : 0
  }

  /// Where undeclared keys may run out, those that are there already are taken out of the automaton; elsewhere it is
  /// enough to look when a key is complete.
  private func extraLeaf(_ record: ObjectRecord, _ language: PatternID, without extras: [CaptureID]) -> LeafID {
    let patterns = leaves.patterns
    if extras.isEmpty || schemas.extraBounds(record).isOpen {
      return language == record.extraPattern ? record.extra : leaves.string(language, .canonical)
    }
    let rest = patterns.intersection([language, complement(of: extras)])
    return patterns.isAlive(rest) ? leaves.string(rest, .canonical) : 0
  }

  // MARK: Live bytes

  func liveBytesOfObject(_ top: Frame) -> ByteSet {
    let phase = ContainerPhase(packed: top.c)
    var result = blankBytes(phase)
    guard hasEnoughBlanks(phase) else { return result }
    let choices = choices(top.b)
    switch phase.step {
    case .open:
      if choices.canClose { result.insert(UInt8(ascii: "}")) }
      if choices.hasMore { result.insert(UInt8(ascii: "\"")) }
    case .after:
      if choices.canClose { result.insert(UInt8(ascii: "}")) }
      if choices.hasMore { result.insert(UInt8(ascii: ",")) }
    case .comma: result.insert(UInt8(ascii: "\""))
    case .colon: result.insert(UInt8(ascii: ":"))
    case .key, .gap, .value: break
    }
    return result
  }

  func liveBytesOfKey(_ top: Frame) -> ByteSet {
    let record = schemas.objects[Int(top.a)]
    let names = choices(frames[Int(top.parent)].b).names
    var result = ByteSet()
    for child in record.trie.nodes[Int(top.b)].children
    where record.trie.nodes[Int(child.node)].names.contains(where: { names[Int($0)] }) {
      result.insert(child.byte)
    }
    return result
  }
}
