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

  /// Whether some token below `node` goes on as the grammar allows after `state`.
  func leadsToToken(_ state: StateID, below node: Int, _ trie: TokenTrie) -> Bool {
    let end = Int(trie.ends[node])
    let live = liveBytes(state)
    var child = node + 1
    while child < end {
      let byte = UInt8(truncatingIfNeeded: trie.nodes[child] >> 24)
      if live.contains(byte) {
        let next = step(state, byte)
        if next != 0, trie.nodes[child] & 0xFF_FFFF != 0 || leadsToToken(next, below: child, trie) { return true }
      }
      child = Int(trie.ends[child])
    }
    return false
  }
}
