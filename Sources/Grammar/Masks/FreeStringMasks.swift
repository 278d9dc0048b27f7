import Synchronization

/// Masks of the free string body, shared by all grammars over a vocabulary: nearly every token is plain text there.
struct FreeStringMasks: Sendable {
  /// Tokens that stay inside the string, sorted by the code points they begin.
  var inside: [[Int32]] = []
  /// Tokens whose last byte is the closing quote, sorted likewise.
  var closing: [[Int32]] = []
  /// For each byte: the nodes reached by it right after a closing quote.
  var exits: [[FreeStringExit]] = Array(repeating: [], count: 256)
  /// All tokens of `inside` and `closing` as a bitset.
  var words: [UInt64] = []
}

/// A place of the trie right after a closing quote.
struct FreeStringExit: Sendable {
  var node: Int32
  /// The code points before the quote.
  var count: Int32
  /// The bytes up to the quote, quote included.
  var path: [UInt8]
}

extension LeafMaskCache {
  /// The mask of `key` when it is one of the free string body.
  func freeStringMask(_ key: LeafMaskKey) -> LeafMask? {
    guard leaves.isUniversal[Int(key.leaf)], key.spec < 0, case .string(let string) = leaves.leaves[Int(key.leaf)]
    else { return nil }
    let shared = freeString(string.form)
    var mask = LeafMask()
    mask.exitsAreOfStrings = true
    if key.allowed < 0, key.needed == 0 {
      mask.words = shared.words
      return mask
    }
    let most = key.allowed < 0 ? Int.max : Int(key.allowed)
    if most < 4 {
      let inside = shared.inside.prefix(most + 1).joined()
      let closing = shared.closing.prefix(most + 1).dropFirst(Int(key.needed)).joined()
      store(Array(inside) + Array(closing), in: &mask)
      return mask
    }
    // Few tokens are so long, so they are taken out.
    mask.words = shared.words
    for (count, ids) in shared.inside.enumerated() where count > most { remove(ids, from: &mask) }
    for (count, ids) in shared.closing.enumerated() where count > most || count < Int(key.needed) {
      remove(ids, from: &mask)
    }
    return mask
  }

  private func remove(_ tokens: [Int32], from mask: inout LeafMask) {
    for token in tokens {
      for id in trie.twins.isEmpty ? [Int(token)] : [Int(token)] + (trie.twins[Int(token)] ?? []) {
        mask.words[id >> 6] &= ~(1 << UInt64(id & 63))
      }
    }
  }

  /// The exits of the mask of `key`, whose exits are some of those of the free body.
  func stringExits(_ key: LeafMaskKey, _ byte: UInt8) -> [Int32] {
    guard case .string(let string) = leaves.leaves[Int(key.leaf)] else { return [] }
    let most = key.allowed < 0 ? Int32.max : key.allowed
    let isFree = leaves.isUniversal[Int(key.leaf)]
    return freeString(string.form).exits[Int(byte)].compactMap { exit in
      guard exit.count <= most, exit.count >= key.needed else { return nil }
      if isFree { return exit.node }
      var leaf = key.leaf
      for byte in exit.path { leaf = leaves.target(leaf, Int(byte)) }
      return leaves.isAccepting[Int(leaf)] ? exit.node : nil
    }
  }

  /// The masks of the free body of a form, built once a vocabulary.
  func freeString(_ form: StringLeaf.Form) -> FreeStringMasks {
    let isCanonical = form == .canonical
    if let known = vocabulary.freeStrings.withLock({ known in known[isCanonical] }) { return known }
    let leaf = leaves.intern(.string(StringLeaf(phase: .body, form: form, pattern: PatternStore.anything)))
    let built = buildFreeString(leaf)
    vocabulary.freeStrings.withLock { known in known[isCanonical] = built }
    return built
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
      if isClosed, after > node + 1, let token = trie.token(below: node) {
        let bytes = vocabulary.bytes(of: token)
        let path = Array(bytes.prefix(trie.depth(of: node, in: bytes)))
        var child = node + 1
        while child < after {
          result.exits[Int(trie.nodes[child] >> 24)].append(
            FreeStringExit(node: Int32(truncatingIfNeeded: child), count: Int32(count), path: path))
          child = Int(trie.ends[child])
        }
      }
      if after > node + 1 { stack.append((after, target, count)) }
      node += 1
    }
    var mask = LeafMask()
    store(Array(result.inside.joined()) + Array(result.closing.joined()), in: &mask, asList: false)
    result.words = mask.words
    return result
  }
}
