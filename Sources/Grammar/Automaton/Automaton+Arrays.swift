import JSON

/// Arrays: brackets, commas, items.
extension Automaton {
  private func array(_ top: Frame, _ phase: ContainerPhase, progress: Int32? = nil) -> Frame {
    Frame(kind: .array, a: top.a, b: progress ?? top.b, c: phase.packed, parent: top.parent)
  }

  func openArray(_ record: Int32, _ progress: Int32, _ depth: Int32, blanks: Int32, parent: FrameID) {
    let top = Frame(
      kind: .array, a: record, b: progress, c: ContainerPhase(.open, blanks: blanks, depth: depth).packed,
      parent: parent)
    add(top)
    pushItems(top, depth)
  }

  func advanceArray(_ top: Frame, _ byte: UInt8) {
    let phase = ContainerPhase(packed: top.c)
    if let next = blank(phase, byte) {
      // After a comma with all its blanks only an item can follow.
      if phase.step != .comma || next.blanks < blanks(.comma).allowed { add(array(top, next)) }
      if phase.step != .after, hasEnoughBlanks(next) { pushItems(top, phase.depth) }
      return
    }
    guard hasEnoughBlanks(phase) else { return }
    switch (phase.step, byte) {
    case (.open, UInt8(ascii: "]")), (.after, UInt8(ascii: "]")):
      if items(top.b).canClose { resume(top.parent) }
    case (.after, UInt8(ascii: ",")):
      guard !items(top.b).items.isEmpty else { return }
      let next = ContainerPhase(.comma, depth: phase.depth)
      if blanks(.comma).allowed > 0 { add(array(top, next)) }
      if hasEnoughBlanks(next) { pushItems(top, phase.depth) }
    default: break
    }
  }

  /// Behind an item. An item that satisfies `contains` may be counted or not; without an upper bound the stack that counts it
  /// can do whatever the other can, and alone stays: otherwise there would be a stack for every number of counted items.
  func resumeArray(_ top: Frame) {
    let next = array(top, ContainerPhase(packed: top.c).behindValue)
    if !schemas.arrays[Int(top.a)].contains.isEmpty {
      func isAlike(_ id: FrameID) -> Bool {
        let other = frames[Int(id)]
        return other.kind == .array && other.a == next.a && other.c == next.c && other.parent == next.parent
      }
      if scratch.contains(where: { isAlike($0) && covers(frames[Int($0)].b, next.b) }) { return }
      scratch.removeAll { isAlike($0) && covers(next.b, frames[Int($0)].b) }
    }
    add(next)
  }

  /// Whether whatever may follow `right` may follow `left`: all is the same, but that more counts where only a minimum is asked.
  private func covers(_ left: Int32, _ right: Int32) -> Bool {
    if left == right { return true }
    let (one, two) = (arrayProgress[left], arrayProgress[right])
    guard one.record == two.record, one.index == two.index, one.seen == two.seen else { return false }
    return schemas.arrays[Int(one.record)].contains.enumerated().allSatisfy { place, contains in
      one.counts[place] == two.counts[place]
        || (contains.maximum == nil && one.counts[place] > two.counts[place])
    }
  }

  private func pushItems(_ top: Frame, _ depth: Int32) {
    let isUnique = schemas.arrays[Int(top.a)].isUnique
    for item in items(top.b).items {
      let parent = frame(array(top, ContainerPhase(.value, depth: depth), progress: item.progress))
      add(Frame(kind: .value, a: item.value, b: isUnique ? 1 : 0, parent: parent))
    }
  }

  func items(_ progress: Int32) -> ArrayChoices {
    while arrayChoices.count <= Int(progress) { arrayChoices.append(nil) }
    if let known = arrayChoices[Int(progress)] { return known }
    let before = arrayProgress[progress]
    let record = schemas.arrays[Int(before.record)]
    var choices = ArrayChoices()
    choices.canClose = schemas.isSatisfied(record, index: Int(before.index), counts: before.counts)
    let found = (try? schemas.itemChoices(record, index: Int(before.index), counts: before.counts)) ?? []
    for item in found {
      var after = before
      after.index += 1
      after.counts = item.counts
      for (place, contains) in record.contains.enumerated() where contains.maximum == nil {
        after.counts[place] = min(after.counts[place], contains.minimum)
      }
      if record.maximum == nil {
        let horizon = max(record.minimum, record.prefix.count, record.contains.map(\.from).max() ?? 0)
        after.index = min(after.index, Int32(clamping: horizon))
      }
      if !record.contains.isEmpty {
        let canFinish = try? schemas.canFinish(record, index: Int(after.index), counts: after.counts)
        guard canFinish ?? false else { continue }
      }
      var value = item.value
      if record.isUnique, !before.seen.isEmpty {
        value = schemas.table.and([value, schemas.table.not(schemas.table.or(before.seen))])
        guard (try? schemas.isInhabited(value)) ?? false else { continue }
      }
      choices.items.append((value, arrayProgress.id(after)))
    }
    arrayChoices[Int(progress)] = choices
    return choices
  }

  /// The array frame `id` after a unique item with this value.
  func remember(_ value: JSONValue, in id: FrameID) -> FrameID {
    var top = frames[Int(id)]
    guard top.kind == .array else { return id }
    var progress = arrayProgress[top.b]
    let constant = schemas.table.constant(value)
    if !progress.seen.contains(constant) {
      progress.seen.append(constant)
      progress.seen.sort()
    }
    top.b = arrayProgress.id(progress)
    return frame(top)
  }

  func liveBytesOfArray(_ top: Frame) -> ByteSet {
    let phase = ContainerPhase(packed: top.c)
    var result = blankBytes(phase)
    guard hasEnoughBlanks(phase) else { return result }
    let choices = items(top.b)
    if phase.step == .open || phase.step == .after, choices.canClose { result.insert(UInt8(ascii: "]")) }
    if phase.step == .after, !choices.items.isEmpty { result.insert(UInt8(ascii: ",")) }
    return result
  }
}
