/// Merges the bytes of a piece into tokens: again and again the neighbours whose merge has the lowest rank, the leftmost
/// of equal ones.
///
/// Short pieces, nearly all of them, search for the next merge in a small array; long ones take it from a heap, so that
/// a megabyte of one letter costs O(n log n).
struct BytePairMerger {
  private let merges: MergeTable
  private let byteIDs: [UInt32]
  private var ids: [UInt32] = []
  /// For each token the merge with its right neighbour; rank `none` without one.
  private var next: [MergeTable.Merge] = []

  /// Stands for a byte that the vocabulary lacks: it merges with nothing and is left out of the result.
  static let noToken = UInt32.max
  private static let noMerge = MergeTable.Merge(rank: .max, id: .max)
  /// The longest piece, in bytes, whose merges are found by searching.
  private static let searchLimit = 48

  /// - Parameter byteIDs: the token of each byte, `noToken` for those without one.
  init(_ merges: MergeTable, byteIDs: [UInt32]) {
    self.merges = merges
    self.byteIDs = byteIDs
  }

  /// Merges the bytes of `piece` and appends the resulting tokens to `output`.
  mutating func merge(_ piece: ArraySlice<UInt8>, into output: inout [Int]) {
    ids.removeAll(keepingCapacity: true)
    for byte in piece { ids.append(byteIDs[Int(byte)]) }
    if ids.count <= Self.searchLimit {
      mergeBySearch()
      for id in ids where id != Self.noToken { output.append(Int(id)) }
    } else {
      var long = LongPiece(ids, merges)
      long.merge()
      long.append(to: &output)
    }
  }

  private mutating func mergeBySearch() {
    next.removeAll(keepingCapacity: true)
    for index in 0..<max(0, ids.count - 1) { next.append(mergeOf(ids[index], ids[index + 1])) }
    while true {
      var best = 0
      var rank = UInt32.max
      for (index, merge) in next.enumerated() where merge.rank < rank {
        best = index
        rank = merge.rank
      }
      guard rank != .max else { return }
      ids[best] = next[best].id
      ids.remove(at: best + 1)
      next.remove(at: best)
      if best < next.count { next[best] = mergeOf(ids[best], ids[best + 1]) }
      if best > 0 { next[best - 1] = mergeOf(ids[best - 1], ids[best]) }
    }
  }

  private func mergeOf(_ left: UInt32, _ right: UInt32) -> MergeTable.Merge {
    merges.merge(left, right) ?? Self.noMerge
  }
}
