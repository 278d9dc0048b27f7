import Synchronization

/// Masks of the free string body, shared by all grammars over a vocabulary: nearly every token is plain text there.
struct FreeStringMasks: Sendable {
  /// Tokens that stay inside the string, sorted by the code points they begin.
  var inside: [[Int32]] = []
  /// Tokens whose last byte is the closing quote, sorted likewise.
  var closing: [[Int32]] = []
  /// Nodes at a closing quote with children, and the code points before it.
  var exits: [(node: Int32, count: Int)] = []
}

extension LeafMaskCache {
  /// The mask of `key` when it is one of the free string body.
  func freeStringMask(_ key: LeafMaskKey) -> LeafMask? {
    guard leaves.isUniversal[Int(key.leaf)], key.spec < 0, case .string(let string) = leaves.leaves[Int(key.leaf)]
    else { return nil }
    let isCanonical = string.form == .canonical
    let shared = vocabulary.freeStrings.withLock { known in known[isCanonical] } ?? buildFreeString(key.leaf)
    vocabulary.freeStrings.withLock { known in if known[isCanonical] == nil { known[isCanonical] = shared } }

    var mask = LeafMask()
    var tokens: [Int32] = []
    let most = key.allowed < 0 ? Int.max : Int(key.allowed)
    for (count, ids) in shared.inside.enumerated() where count <= most { tokens += ids }
    for (count, ids) in shared.closing.enumerated() where count <= most && count >= Int(key.needed) { tokens += ids }
    store(tokens, in: &mask)
    mask.exits = shared.exits.filter { $0.count <= most && $0.count >= Int(key.needed) }.map(\.node)
    return mask
  }

  private func buildFreeString(_ leaf: LeafID) -> FreeStringMasks {
    var result = FreeStringMasks()
    func add(_ token: Int32, _ count: Int, to lists: inout [[Int32]]) {
      while lists.count <= count { lists.append([]) }
      lists[count].append(token)
    }
    var stack: [(end: Int, leaf: LeafID, count: Int)] = []
    var node = 0
    while node < trie.count {
      while let top = stack.last, top.end <= node { stack.removeLast() }
      let from = stack.last?.leaf ?? leaf
      var count = stack.last?.count ?? 0
      let target = leaves.target(from, Int(trie.nodes[node] >> 24))
      let after = Int(trie.ends[node])
      guard target != 0 else {
        node = after
        continue
      }
      // A code point counts from its first byte on.
      let isClosed = leaves.isAccepting[Int(target)]
      if from == leaf, !isClosed { count += 1 }
      let token = Int32(truncatingIfNeeded: trie.nodes[node] & 0xFF_FFFF) - 1
      if token >= 0 {
        if isClosed { add(token, count, to: &result.closing) } else { add(token, count, to: &result.inside) }
      }
      if isClosed, after > node + 1 { result.exits.append((Int32(truncatingIfNeeded: node), count)) }
      if after > node + 1 { stack.append((after, target, count)) }
      node += 1
    }
    return result
  }
}
