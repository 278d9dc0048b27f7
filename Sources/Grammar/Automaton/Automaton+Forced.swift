/// Control tokens, and text without a choice.
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

  /// What tokens below `node` have behind it, as far as the grammar allows it after `state`.
  ///
  /// - Returns: false when there are more than `limit`.
  func collectRemainders(
    _ state: StateID, below node: Int, _ trie: TokenTrie, _ path: inout [UInt8], into found: inout [[UInt8]],
    limit: Int
  ) -> Bool {
    let end = Int(trie.ends[node])
    let live = liveBytes(state)
    var child = node + 1
    while child < end {
      let byte = UInt8(truncatingIfNeeded: trie.nodes[child] >> 24)
      if live.contains(byte) {
        let next = step(state, byte)
        if next != 0 {
          path.append(byte)
          if trie.nodes[child] & 0xFF_FFFF != 0 { found.append(path) }
          if found.count > limit { return false }
          guard collectRemainders(next, below: child, trie, &path, into: &found, limit: limit) else { return false }
          path.removeLast()
        }
      }
      child = Int(trie.ends[child])
    }
    return true
  }

  /// Some of the characters that may follow, a few of each kind that tokenizers tell apart: letters and digits.
  func plainFollowers(_ state: StateID) -> [[UInt8]] {
    let live = liveBytes(state)
    let kinds: [ClosedRange<UInt8>] = [0x30...0x39, 0x41...0x5A, 0x61...0x7A]
    return kinds.flatMap { kind in
      let legal = kind.filter { live.contains($0) && step(state, $0) != 0 }
      let some = legal.count > 3 ? [legal[0], legal[legal.count / 2], legal[legal.count - 1]] : legal
      return some.map { [$0] }
    }
  }
}
