/// Text without a choice, and the end of a text.
extension Automaton {
  /// The state after the control token `token`; 0 when it is not allowed.
  func step(_ state: StateID, control token: Int) -> StateID {
    makeState {
      for index in memberRange(state) {
        let top = frames[Int(members[index])]
        if top.kind == .control, Int(top.a) == token { resume(top.parent) }
      }
    }
  }

  /// The only bytes that can follow, as long as there is no choice.
  func forcedBytes(_ start: StateID, limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    var state = start
    while result.count < limit, let (byte, next) = onlyByte(state) {
      result.append(byte)
      state = next
    }
    return result
  }

  /// The only byte that can follow and the state after it; `nil` when there are several, or a control token, or an end.
  private func onlyByte(_ state: StateID) -> (UInt8, StateID)? {
    for index in memberRange(state) {
      let kind = frames[Int(members[index])].kind
      if kind == .end || kind == .control { return nil }
    }
    let live = liveBytes(state)
    guard !live.isEmpty, live.count <= 8 else { return nil }
    var found: (UInt8, StateID)?
    for byte in live.members {
      let next = step(state, byte)
      if next == 0 { continue }
      if found != nil { return nil }
      found = (byte, next)
    }
    return found
  }

  /// Bytes that complete the text, the shortest that a look at each level finds.
  func shortestCompletion(_ state: StateID) -> [UInt8]? {
    if isComplete(state) { return [] }
    var best: [UInt8]?
    for index in memberRange(state) {
      if let bytes = completion(of: frames[Int(members[index])], fuel: 10_000), bytes.count < best?.count ?? Int.max {
        best = bytes
      }
    }
    return best
  }

  /// What completes `top` and everything below it.
  private func completion(of top: Frame, fuel: Int) -> [UInt8]? {
    var result: [UInt8] = []
    var state = self.state(of: [frame(top)])
    // One level at a time: the way to the next smaller stack, then from there on.
    for _ in 0..<fuel {
      if isComplete(state) { return result }
      guard let step = wayDown(state) else { return nil }
      result += step.bytes
      state = step.state
      if result.count > 1_000_000 { return nil }
    }
    return nil
  }

  /// The shortest way that closes the top level, found breadth first among the bytes that lead towards an end.
  private func wayDown(_ start: StateID) -> (bytes: [UInt8], state: StateID)? {
    let depth = stackDepth(start)
    var layer: [(state: StateID, bytes: [UInt8])] = [(start, [])]
    var seen: Set<StateID> = [start]
    for _ in 0..<4_096 {
      var next: [(state: StateID, bytes: [UInt8])] = []
      for (state, bytes) in layer {
        for byte in closingBytes(state) {
          let target = step(state, byte)
          guard target != 0, seen.insert(target).inserted else { continue }
          if isComplete(target) || stackDepth(target) < depth { return (bytes + [byte], target) }
          next.append((target, bytes + [byte]))
        }
      }
      if next.isEmpty { return nil }
      layer = Array(next.prefix(64))
    }
    return nil
  }

  private func stackDepth(_ state: StateID) -> Int {
    memberRange(state).map { index in
      var depth = 0
      var place = members[index]
      while place >= 0 {
        depth += 1
        place = frames[Int(place)].parent
      }
      return depth
    }.min() ?? 0
  }

  /// Bytes to try, those that close something first; of many alike only a few.
  private func closingBytes(_ state: StateID) -> [UInt8] {
    let live = liveBytes(state)
    let first = Self.preferred.filter { live.contains($0) }
    let others = live.members.filter { !Self.preferred.contains($0) }
    return first + (others.count > 16 ? Array(others.prefix(3)) + Array(others.suffix(1)) : others)
  }

  private static let preferred = Array("\"]},:0{[ tfn1a".utf8)
}
