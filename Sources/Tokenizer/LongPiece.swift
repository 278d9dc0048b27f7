/// A long piece being merged: its tokens as a linked list, the possible merges as a heap.
///
/// Invariant of the pointers: `ids`, `left`, `right` and `ranks` have room for `count` elements, the heap for twice as
/// many: it begins with fewer than `count` merges, and each of the fewer than `count` merges done takes one off and puts
/// at most two on it.
struct LongPiece: ~Copyable {
  private let merges: MergeTable
  private let count: Int
  private let ids: UnsafeMutablePointer<UInt32>
  /// Neighbours by position; -1 beyond the ends.
  private let left: UnsafeMutablePointer<Int32>
  private let right: UnsafeMutablePointer<Int32>
  /// For each position the rank of the merge with its right neighbour; `noRank` without one.
  private let ranks: UnsafeMutablePointer<UInt32>
  /// Ranks above, positions below; the least stands first. An entry whose rank isn't its position's any more is outdated.
  private let heap: UnsafeMutablePointer<UInt64>
  private var heapCount = 0

  /// Positions are kept in 32 bits: the caller cuts a longer piece.
  static let maximumLength = Int(Int32.max)

  init(_ tokens: [UInt32], _ merges: MergeTable) {
    precondition(tokens.count <= Self.maximumLength, "piece of \(tokens.count) bytes")
    self.merges = merges
    count = tokens.count
    ids = .allocate(capacity: count)
    left = .allocate(capacity: count)
    right = .allocate(capacity: count)
    ranks = .allocate(capacity: count)
    heap = .allocate(capacity: 2 * count)
    for (position, id) in tokens.enumerated() {
      ids[position] = id
      left[position] = Int32(position) - 1
      right[position] = position + 1 < count ? Int32(position) + 1 : -1
    }
  }

  deinit {
    ids.deallocate()
    left.deallocate()
    right.deallocate()
    ranks.deallocate()
    heap.deallocate()
  }

  mutating func merge() {
    for position in 0..<count { note(position) }
    while heapCount > 0 {
      let least = popLeast()
      let position = Int(least & 0xFFFF_FFFF)
      let rank = UInt32(truncatingIfNeeded: least >> 32)
      guard ranks[position] == rank else { continue }
      let neighbour = Int(right[position])
      ids[position] = merges.result(rank)
      ranks[neighbour] = MergeTable.noRank
      right[position] = right[neighbour]
      if right[position] >= 0 { left[Int(right[position])] = Int32(position) }
      note(position)
      if left[position] >= 0 { note(Int(left[position])) }
    }
  }

  func append(to output: inout [Int]) {
    var position = count > 0 ? 0 : -1
    while position >= 0 {
      if ids[position] != BytePairMerger.noToken { output.append(Int(ids[position])) }
      position = Int(right[position])
    }
  }

  /// Looks up the merge of the token at `position` with its right neighbour and puts it on the heap.
  private mutating func note(_ position: Int) {
    let neighbour = Int(right[position])
    ranks[position] = neighbour < 0 ? MergeTable.noRank : merges.rank(ids[position], ids[neighbour])
    guard ranks[position] != MergeTable.noRank else { return }
    push(UInt64(ranks[position]) << 32 | UInt64(position))
  }

  private mutating func push(_ entry: UInt64) {
    var child = heapCount
    heapCount += 1
    while child > 0, entry < heap[(child - 1) / 2] {
      heap[child] = heap[(child - 1) / 2]
      child = (child - 1) / 2
    }
    heap[child] = entry
  }

  private mutating func popLeast() -> UInt64 {
    let least = heap[0]
    heapCount -= 1
    let last = heap[heapCount]
    // The hole at the top sinks along the lesser children to the bottom, then `last`, which is likely large, rises from
    // there: half the comparisons of letting `last` sink.
    var hole = 0
    while 2 * hole + 2 < heapCount {
      let child = 2 * hole + (heap[2 * hole + 2] < heap[2 * hole + 1] ? 2 : 1)
      heap[hole] = heap[child]
      hole = child
    }
    if 2 * hole + 1 < heapCount {
      heap[hole] = heap[2 * hole + 1]
      hole = 2 * hole + 1
    }
    while hole > 0, last < heap[(hole - 1) / 2] {
      heap[hole] = heap[(hole - 1) / 2]
      hole = (hole - 1) / 2
    }
    heap[hole] = last
    return least
  }
}
