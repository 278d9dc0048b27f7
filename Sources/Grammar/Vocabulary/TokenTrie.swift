/// All token bytes as one trie, flattened depth-first: the children of a node follow it, and `ends` jumps over a subtree.
///
/// Eight bytes a node. Ids with the same bytes share a node; the first is in the node, the others in `twins`.
final class TokenTrie: Sendable {
  /// Byte in the upper 8 bits, token id + 1 (0 = none) in the lower 24.
  let nodes: [UInt32]

  /// Index after the last node of the subtree.
  let ends: [Int32]

  /// Further ids with the bytes of a token.
  let twins: [Int: [Int]]

  /// First node of each first byte; -1 when no token begins with it.
  let roots: [Int32]

  /// The longest token in bytes.
  let longest: Int

  var count: Int { nodes.count }

  init(bytes: [UInt8], offsets: [Int32]) {
    var nodes: [UInt32] = []
    var ends: [Int32] = []
    var twins: [Int: [Int]] = [:]
    var roots = [Int32](repeating: -1, count: 256)
    var longest = 0
    var path: [Int] = []
    var spelling: [UInt8] = []

    for id in Self.sorted(bytes: bytes, offsets: offsets) {
      let token = bytes[Int(offsets[id])..<Int(offsets[id + 1])]
      longest = max(longest, token.count)
      var shared = 0
      while shared < spelling.count, shared < token.count, spelling[shared] == token[token.startIndex + shared] {
        shared += 1
      }
      if shared == token.count, shared == spelling.count, let last = path.last, nodes[last] & 0xFF_FFFF != 0 {
        twins[Int(nodes[last] & 0xFF_FFFF) - 1, default: []].append(id)
        continue
      }
      while path.count > shared {
        ends[path.removeLast()] = Int32(truncatingIfNeeded: nodes.count)
      }
      spelling.removeLast(spelling.count - shared)
      for byte in token.dropFirst(shared) {
        if path.isEmpty { roots[Int(byte)] = Int32(truncatingIfNeeded: nodes.count) }
        path.append(nodes.count)
        nodes.append(UInt32(byte) << 24)
        ends.append(0)
        spelling.append(byte)
      }
      if let last = path.last { nodes[last] |= UInt32(truncatingIfNeeded: id + 1) & 0xFF_FFFF }
    }
    while let last = path.popLast() {
      ends[last] = Int32(truncatingIfNeeded: nodes.count)
    }
    self.nodes = nodes
    self.ends = ends
    self.twins = twins
    self.roots = roots
    self.longest = longest
  }

  /// Ids of the tokens with bytes, in the order of their bytes.
  private static func sorted(bytes: [UInt8], offsets: [Int32]) -> [Int] {
    struct Entry {
      let head: UInt64
      let id: Int
    }
    var entries: [Entry] = []
    entries.reserveCapacity(offsets.count)
    for id in 0..<max(0, offsets.count - 1) where offsets[id] < offsets[id + 1] {
      var head: UInt64 = 0
      let start = Int(offsets[id])
      for place in 0..<8 {
        head = head << 8 | (start + place < Int(offsets[id + 1]) ? UInt64(bytes[start + place]) : 0)
      }
      entries.append(Entry(head: head, id: id))
    }
    entries.sort { left, right in
      if left.head != right.head { return left.head < right.head }
      let one = bytes[Int(offsets[left.id])..<Int(offsets[left.id + 1])]
      let other = bytes[Int(offsets[right.id])..<Int(offsets[right.id + 1])]
      if one.elementsEqual(other) { return left.id < right.id }
      return one.lexicographicallyPrecedes(other)
    }
    return entries.map(\.id)
  }

  /// The node reached by `spelling` from the root, or `nil`.
  func node(of spelling: some Collection<UInt8>) -> Int? {
    guard let first = spelling.first, roots[Int(first)] >= 0 else { return nil }
    var node = Int(roots[Int(first)])
    for byte in spelling.dropFirst() {
      guard let child = child(of: node, byte) else { return nil }
      node = child
    }
    return node
  }

  /// The child of `node` by `byte`, or `nil`.
  func child(of node: Int, _ byte: UInt8) -> Int? {
    var child = node + 1
    let end = Int(ends[node])
    while child < end {
      if UInt8(truncatingIfNeeded: nodes[child] >> 24) == byte { return child }
      child = Int(ends[child])
    }
    return nil
  }
}
