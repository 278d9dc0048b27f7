/// Values that can only be one of a few texts.
extension Automaton {
  private static let mostTexts = 512
  private static let longestText = 256
  private static let mostSteps = 4_000

  /// The texts that a value can be here, with the certain text before it; `nil` when there is no value, just one text, or
  /// more than can be listed.
  func closedChoice(_ start: StateID) -> ClosedChoice? {
    if let known = closedChoices[start] { return known }
    let choice = findChoice(start)
    closedChoices[start] = .some(choice)
    return choice
  }

  private func findChoice(_ start: StateID) -> ClosedChoice? {
    let certain = forcedBytes(start, limit: Self.longestText)
    let state = step(start, certain)
    guard let parent = valueParent(state) else { return nil }
    let end = continuation(parent)
    guard end != 0 else { return nil }
    var search = ChoiceSearch(end: Set(members[memberRange(end)]), path: certain)
    guard collect(state, &search), search.texts.count > 1 else { return nil }
    let boundary = forcedBytes(end, limit: Self.longestText)
    return ClosedChoice(
      texts: search.texts, boundary: boundary, followers: boundary.isEmpty ? liveBytes(end).members : [])
  }

  /// What a value that is about to begin, or has begun, is part of; `nil` when that is not the same for all stacks.
  private func valueParent(_ state: StateID) -> FrameID? {
    var parent: FrameID?
    for index in memberRange(state) {
      let top = frames[Int(members[index])]
      switch top.kind {
      case .value where top.b == 0: break
      case .leaf where top.c < 0 && !leaves.isText[Int(top.a)]: break
      case .literal: break
      default: return nil
      }
      guard parent == nil || parent == top.parent else { return nil }
      parent = top.parent
    }
    return parent
  }

  private struct ChoiceSearch {
    /// The stacks after the value.
    let end: Set<FrameID>
    var path: [UInt8]
    var texts: [[UInt8]] = []
    var steps = 0
  }

  /// - Returns: false when there is too much.
  private func collect(_ state: StateID, _ search: inout ChoiceSearch) -> Bool {
    let live = liveBytes(state)
    guard live.count <= 96, search.path.count < Self.longestText else { return false }
    for byte in live.members {
      let next = step(state, byte)
      if next == 0 { continue }
      search.steps += 1
      search.path.append(byte)
      defer { search.path.removeLast() }
      guard search.steps <= Self.mostSteps else { return false }
      let stacks = members[memberRange(next)]
      guard search.end.isSubset(of: stacks) else {
        guard collect(next, &search) else { return false }
        continue
      }
      search.texts.append(search.path)
      guard search.texts.count <= Self.mostTexts else { return false }
      let inside = stacks.filter { !search.end.contains($0) }
      if !inside.isEmpty, !collect(self.state(of: inside), &search) { return false }
    }
    return true
  }
}
