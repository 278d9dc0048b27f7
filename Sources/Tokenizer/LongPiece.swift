/// A long piece being merged: its tokens as a linked list, the possible merges as a heap.
struct LongPiece {
  private let merges: MergeTable
  private var ids: [UInt32]
  /// Neighbours by position; -1 beyond the ends. A token that was merged into its left neighbour is out of the list.
  private var left: [Int32]
  private var right: [Int32]
  private var isMerged: [Bool]
  /// A binary heap; the least stands first.
  private var heap: [Candidate] = []

  /// A merge that was possible when it was noted. Rank and position in one number, so that comparing is cheap.
  private struct Candidate {
    let order: UInt64
    let leftID: UInt32
    let rightID: UInt32
    let id: UInt32

    var position: Int { Int(order & 0xFFFF_FFFF) }
  }

  /// Positions are kept in 32 bits: a longer piece is cut by the caller.
  static let maximumLength = Int(Int32.max)

  init(_ ids: [UInt32], _ merges: MergeTable) {
    precondition(ids.count <= Self.maximumLength, "piece of \(ids.count) bytes")
    self.ids = ids
    self.merges = merges
    left = (0..<Int32(ids.count)).map { $0 - 1 }
    right = (0..<Int32(ids.count)).map { $0 + 1 }
    if let last = right.indices.last { right[last] = -1 }
    isMerged = [Bool](repeating: false, count: ids.count)
  }

  mutating func merge() {
    heap.reserveCapacity(ids.count)
    for position in ids.indices { note(position) }
    while let candidate = popLeast() {
      let position = candidate.position
      let neighbour = Int(right[position])
      // Outdated when either token has changed since: an id never comes back to a position, so comparing them suffices.
      guard !isMerged[position], neighbour >= 0, ids[position] == candidate.leftID,
        ids[neighbour] == candidate.rightID
      else { continue }
      ids[position] = candidate.id
      isMerged[neighbour] = true
      right[position] = right[neighbour]
      if right[position] >= 0 { left[Int(right[position])] = Int32(position) }
      note(position)
      if left[position] >= 0 { note(Int(left[position])) }
    }
  }

  func append(to output: inout [Int]) {
    var position = ids.isEmpty ? -1 : 0
    while position >= 0 {
      if ids[position] != BytePairMerger.noToken { output.append(Int(ids[position])) }
      position = Int(right[position])
    }
  }

  /// Puts the merge of the token at `position` with its right neighbour on the heap, if there is one.
  private mutating func note(_ position: Int) {
    let neighbour = Int(right[position])
    guard neighbour >= 0, let merge = merges.merge(ids[position], ids[neighbour]) else { return }
    push(
      Candidate(
        order: UInt64(merge.rank) << 32 | UInt64(position), leftID: ids[position], rightID: ids[neighbour], id: merge.id
      ))
  }

  private mutating func push(_ candidate: Candidate) {
    heap.append(candidate)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].order < heap[parent].order else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func popLeast() -> Candidate? {
    guard let least = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return least }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return least }
      if child + 1 < heap.count, heap[child + 1].order < heap[child].order { child += 1 }
      guard heap[child].order < heap[parent].order else { return least }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
