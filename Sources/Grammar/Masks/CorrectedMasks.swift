/// Masks made from the mask of a similar state: where both go the same way, nothing has to be walked.
extension LeafMaskCache {
  /// The mask of a string body that behaves like one whose mask is known after nearly every character: the free body for
  /// keys that only may not be one of a few names, an earlier state of the same pattern for others.
  func correctedMask(_ key: LeafMaskKey) -> LeafMask? {
    guard key.spec < 0, case .string(let string) = leaves.leaves[Int(key.leaf)], string.phase == .body,
      string.form != .bare
    else { return nil }
    let free = leaves.intern(.string(StringLeaf(phase: .body, form: string.form, pattern: PatternStore.anything)))
    var base: (leaf: LeafID, place: Int)?
    var similarity = 12
    for candidate in [(leaf: free, place: -1)] + bases.suffix(24) {
      let same = (0x61...0x7A).count { byte in
        let target = leaves.target(key.leaf, byte)
        return target != 0 && target == leaves.target(candidate.leaf, byte)
      }
      if same >= similarity {
        base = candidate
        similarity = same + 1
      }
    }
    guard let base else { return nil }
    let shared = freeString(string.form)
    var mask = LeafMask()
    mask.words = base.place < 0 ? shared.words : masks[base.place].words
    guard !mask.words.isEmpty else { return nil }
    correct(&mask, key.leaf, from: base.leaf)
    mask.exitsAreOfStrings = true
    return mask
  }

  private func correct(_ mask: inout LeafMask, _ leaf: LeafID, from base: LeafID) {
    let nodes = trie.nodes
    let ends = trie.ends
    var words: [UInt64] = []
    swap(&words, &mask.words)
    func set(_ node: Int, _ isAllowed: Bool) {
      let token = Int(nodes[node] & 0xFF_FFFF) - 1
      guard token >= 0 else { return }
      for id in trie.twins.isEmpty ? [token] : [token] + (trie.twins[token] ?? []) {
        if isAllowed { words[id >> 6] |= 1 << UInt64(id & 63) } else { words[id >> 6] &= ~(1 << UInt64(id & 63)) }
      }
    }
    var stack: [(end: Int, leaf: LeafID, base: LeafID)] = []
    var node = 0
    while node < nodes.count {
      while let top = stack.last, top.end <= node { stack.removeLast() }
      let after = Int(ends[node])
      let byte = Int(nodes[node] >> 24)
      let target = leaves.target(stack.last?.leaf ?? leaf, byte)
      let usual = leaves.target(stack.last?.base ?? base, byte)
      if target == usual {
        node = after
      } else if target == 0 {
        for below in node..<after { set(below, false) }
        node = after
      } else {
        set(node, true)
        if after > node + 1 { stack.append((after, target, usual)) }
        node += 1
      }
    }
    swap(&words, &mask.words)
  }
}
