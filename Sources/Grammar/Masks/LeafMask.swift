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
  /// Exits are those of the free string body that this leaf allows.
  var exitsAreOfStrings = false
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

/// The leaf masks of some grammars over one vocabulary, kept as long as they.
final class LeafMaskCache {
  let vocabulary: Vocabulary
  let trie: TokenTrie
  let leaves: LeafStore
  private var places: [LeafMaskKey: Int] = [:]
  var masks: [LeafMask] = []
  /// States with a bitset, from which masks of similar states can be made.
  var bases: [(leaf: LeafID, place: Int)] = []

  /// About the memory in use.
  private(set) var byteCount = 0

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
    } else if let near = correctedMask(key) {
      mask = near
    } else {
      mask = walk(key, admits: admits)
    }
    mask.exitsAreEverywhere = leaves.isText[Int(key.leaf)]
    masks.append(mask)
    byteCount += mask.words.count * 8 + (mask.tokens.count + mask.exits.count) * 4
    places[key] = masks.count - 1
    if key.spec < 0, key.needed == 0, key.allowed < 0, !mask.words.isEmpty, !mask.exitsAreEverywhere {
      bases.append((key.leaf, masks.count - 1))
    }
    return masks.count - 1
  }

  /// Runs the leaf over the whole trie.
  private func walk(_ key: LeafMaskKey, admits: (LeafID, Int32) -> Bool) -> LeafMask {
    var mask = LeafMask()
    var collected: [Int32] = []
    let keepsExits = !leaves.isText[Int(key.leaf)]
    let counts = key.spec >= 0
    let nodes = trie.nodes
    let ends = trie.ends
    visit(key.leaf, count: key.count, counts: counts, admits: admits) { node, _, isAccepting in
      let token = Int(nodes[node] & 0xFF_FFFF) - 1
      if token >= 0 { collected.append(Int32(truncatingIfNeeded: token)) }
      if keepsExits, isAccepting, Int(ends[node]) > node + 1 {
        mask.exits.append(Int32(truncatingIfNeeded: node))
      }
    }
    store(collected, in: &mask)
    return mask
  }

  func store(_ tokens: [Int32], in mask: inout LeafMask, asList: Bool = true) {
    var tokens = tokens
    if !trie.twins.isEmpty {
      for token in tokens { for twin in trie.twins[Int(token)] ?? [] { tokens.append(Int32(twin)) } }
    }
    if asList, tokens.count <= listLimit {
      mask.tokens = tokens
    } else {
      mask.words = Array(repeating: 0, count: (vocabulary.count + 63) / 64)
      for token in tokens { mask.words[Int(token) >> 6] |= 1 << UInt64(token & 63) }
    }
  }

  /// Calls `body` with every node whose bytes the leaf takes, and the leaf after them.
  func visit(
    _ leaf: LeafID, count: Int32, counts: Bool, admits: (LeafID, Int32) -> Bool,
    _ body: (_ node: Int, _ leaf: LeafID, _ isAccepting: Bool) -> Void
  ) {
    let nodes = trie.nodes
    let ends = trie.ends
    // Local copies, because this loop is the hot one; they are dropped before a new row is filled.
    var table = leaves.table
    var rowStarts = leaves.rowStarts
    var accepting = leaves.isAccepting
    func row(_ leaf: LeafID) -> Int {
      let known = rowStarts[Int(leaf)]
      if known >= 0 { return Int(known) }
      table = []
      rowStarts = []
      accepting = []
      let start = leaves.row(leaf)
      table = leaves.table
      rowStarts = leaves.rowStarts
      accepting = leaves.isAccepting
      return start
    }
    var stack: [(end: Int, row: Int, count: Int32, isStart: Bool)] = []
    for byte in leaves.liveBytes(leaf).members where trie.roots[Int(byte)] >= 0 {
      let root = Int(trie.roots[Int(byte)])
      var node = root
      let end = Int(ends[root])
      stack.removeAll(keepingCapacity: true)
      stack.append((end, row(leaf), count, leaves.isStart[Int(leaf)]))
      while node < end {
        while stack[stack.count - 1].end <= node { stack.removeLast() }
        let top = stack[stack.count - 1]
        let target = table[top.row + Int(nodes[node] >> 24)]
        let after = Int(ends[node])
        guard target != 0 else {
          node = after
          continue
        }
        var total = top.count
        if counts {
          if leaves.isBoundary[Int(target)], !top.isStart { total += 1 }
          guard admits(target, total) else {
            node = after
            continue
          }
        }
        body(node, target, accepting[Int(target)])
        if after > node + 1 { stack.append((after, row(target), total, false)) }
        node += 1
      }
    }
  }

  /// The nodes reached by `byte` right after a place where the leaf of mask `place` may end.
  func exits(_ place: Int, _ key: LeafMaskKey, _ byte: UInt8) -> [Int32] {
    if let known = masks[place].exitsByByte[byte] { return known }
    var result: [Int32] = []
    if masks[place].exitsAreOfStrings {
      result = stringExits(key, byte)
    } else if masks[place].exitsAreEverywhere {
      visit(key.leaf, count: 0, counts: false, admits: { _, _ in true }) { node, _, isAccepting in
        if isAccepting, Int(trie.ends[node]) > node + 1, let child = trie.child(of: node, byte) {
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
