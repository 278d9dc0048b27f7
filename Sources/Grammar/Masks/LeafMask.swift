/// The tokens that stay inside a leaf, whatever it is part of, and the places of the trie where a token leaves it.
struct LeafMask {
  /// Token ids when they are few, else empty and `words` holds them.
  var tokens: [Int32] = []
  var words: [UInt64] = []
  /// Nodes at which the leaf may end while longer tokens go on.
  var exits: [Int32] = []
  /// For a next byte: the nodes reached by it right after an exit.
  var exitsByByte: [UInt8: [Int32]] = [:]
  /// Exits are everywhere and are looked for when a byte is asked.
  var exitsAreEverywhere = false
}

/// What a leaf mask depends on.
struct LeafMaskKey: Hashable {
  var leaf: LeafID
  /// Code points that are still needed and still allowed, clipped to what one token can hold; -1: no limit.
  var needed: Int32 = 0
  var allowed: Int32 = -1
  /// The spec and the count, where the pattern makes more than these two matter; -1: no.
  var spec: Int32 = -1
  var count: Int32 = 0
}

/// The leaf masks of one grammar over one vocabulary, kept as long as the grammar.
final class LeafMaskCache {
  let vocabulary: Vocabulary
  let trie: TokenTrie
  let leaves: LeafStore
  private var places: [LeafMaskKey: Int] = [:]
  var masks: [LeafMask] = []

  /// Above this many tokens a bitset is smaller than a list.
  private let listLimit: Int

  init(vocabulary: Vocabulary, leaves: LeafStore) {
    self.vocabulary = vocabulary
    trie = vocabulary.trie
    self.leaves = leaves
    listLimit = max(16, vocabulary.count / 64)
  }

  /// Index into `masks`.
  func mask(_ key: LeafMaskKey, admits: (LeafID, Int32) -> Bool) -> Int {
    if let place = places[key] { return place }
    var mask: LeafMask
    if let shared = freeStringMask(key) {
      mask = shared
    } else {
      mask = walk(key, admits: admits)
    }
    mask.exitsAreEverywhere = leaves.isText[Int(key.leaf)]
    masks.append(mask)
    places[key] = masks.count - 1
    return masks.count - 1
  }

  /// Runs the leaf over the whole trie.
  private func walk(_ key: LeafMaskKey, admits: (LeafID, Int32) -> Bool) -> LeafMask {
    var mask = LeafMask()
    var collected: [Int32] = []
    let keepsExits = !leaves.isText[Int(key.leaf)]
    let counts = key.spec >= 0
    visit(key.leaf, count: key.count, counts: counts, admits: admits) { node, leaf in
      let token = Int(trie.nodes[node] & 0xFF_FFFF) - 1
      if token >= 0 { collected.append(Int32(truncatingIfNeeded: token)) }
      if keepsExits, leaves.isAccepting[Int(leaf)], Int(trie.ends[node]) > node + 1 {
        mask.exits.append(Int32(truncatingIfNeeded: node))
      }
    }
    store(collected, in: &mask)
    return mask
  }

  func store(_ tokens: [Int32], in mask: inout LeafMask) {
    var tokens = tokens
    if !trie.twins.isEmpty {
      for token in tokens { for twin in trie.twins[Int(token)] ?? [] { tokens.append(Int32(twin)) } }
    }
    if tokens.count <= listLimit {
      mask.tokens = tokens
    } else {
      mask.words = Array(repeating: 0, count: (vocabulary.count + 63) / 64)
      for token in tokens { mask.words[Int(token) >> 6] |= 1 << UInt64(token & 63) }
    }
  }

  /// Calls `body` with every node whose bytes the leaf takes, and the leaf after them.
  private func visit(
    _ leaf: LeafID, count: Int32, counts: Bool, admits: (LeafID, Int32) -> Bool, _ body: (Int, LeafID) -> Void
  ) {
    var stack: [(end: Int, leaf: LeafID, count: Int32)] = []
    for byte in leaves.liveBytes(leaf).members where trie.roots[Int(byte)] >= 0 {
      let root = Int(trie.roots[Int(byte)])
      var node = root
      let end = Int(trie.ends[root])
      stack.removeAll(keepingCapacity: true)
      stack.append((end, leaf, count))
      while node < end {
        while stack[stack.count - 1].end <= node { stack.removeLast() }
        let top = stack[stack.count - 1]
        let byte = Int(trie.nodes[node] >> 24)
        let target = leaves.target(top.leaf, byte)
        let after = Int(trie.ends[node])
        guard target != 0 else {
          node = after
          continue
        }
        var total = top.count
        if counts {
          if leaves.isBoundary[Int(target)], !leaves.isStart[Int(top.leaf)] { total += 1 }
          guard admits(target, total) else {
            node = after
            continue
          }
        }
        body(node, target)
        if after > node + 1 { stack.append((after, target, total)) }
        node += 1
      }
    }
  }

  /// The nodes reached by `byte` right after a place where the leaf of mask `place` may end.
  func exits(_ place: Int, _ key: LeafMaskKey, _ byte: UInt8) -> [Int32] {
    if let known = masks[place].exitsByByte[byte] { return known }
    var result: [Int32] = []
    if masks[place].exitsAreEverywhere {
      visit(key.leaf, count: 0, counts: false, admits: { _, _ in true }) { node, leaf in
        if leaves.isAccepting[Int(leaf)], Int(trie.ends[node]) > node + 1, let child = trie.child(of: node, byte) {
          result.append(Int32(truncatingIfNeeded: child))
        }
      }
    } else {
      for node in masks[place].exits {
        if let child = trie.child(of: Int(node), byte) { result.append(Int32(truncatingIfNeeded: child)) }
      }
    }
    masks[place].exitsByByte[byte] = result
    return result
  }
}
