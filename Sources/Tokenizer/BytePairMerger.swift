/// Merges the bytes of a piece into tokens: again and again the neighbours whose merge has the lowest rank, the leftmost
/// of equal ones.
///
/// Short pieces, nearly all of them, search for the next merge in a small array; long ones take it from a heap, so that
/// a megabyte of one letter costs O(n log n).
struct BytePairMerger {
  private let merges: MergeTable
  private let byteIDs: [UInt32]

  /// Stands for a byte that the vocabulary lacks: it merges with nothing and is left out of the result.
  static let noToken = UInt32.max
  /// The longest piece, in bytes, whose merges are found by searching.
  private static let searchLimit = 48

  /// - Parameter byteIDs: the token of each byte, `noToken` for those without one.
  init(_ merges: MergeTable, byteIDs: [UInt32]) {
    self.merges = merges
    self.byteIDs = byteIDs
  }

  /// Merges the bytes of `piece` and appends the resulting tokens to `output`.
  func merge(_ piece: UnsafeBufferPointer<UInt8>, into output: inout [Int]) {
    if piece.count <= Self.searchLimit {
      mergeBySearch(piece, into: &output)
    } else {
      var long = LongPiece(piece.map { byteIDs[Int($0)] }, merges)
      long.merge()
      long.append(to: &output)
    }
  }

  private func mergeBySearch(_ piece: UnsafeBufferPointer<UInt8>, into output: inout [Int]) {
    // Both arrays have room for a token a byte, and `count` only shrinks.
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * Self.searchLimit) { memory in
      let ids = UnsafeMutableBufferPointer(rebasing: memory[..<Self.searchLimit])
      let ranks = UnsafeMutableBufferPointer(rebasing: memory[Self.searchLimit...])
      var count = piece.count
      for index in 0..<count { ids[index] = byteIDs[Int(piece[index])] }
      for index in 0..<max(0, count - 1) { ranks[index] = merges.rank(ids[index], ids[index + 1]) }
      while count > 1 {
        var best = 0
        for index in 1..<max(1, count - 1) where ranks[index] < ranks[best] { best = index }
        let rank = ranks[best]
        guard rank != MergeTable.noRank else { break }
        ids[best] = merges.result(rank)
        count -= 1
        for index in best + 1..<max(best + 1, count) {
          ids[index] = ids[index + 1]
          ranks[index - 1] = ranks[index]
        }
        if best + 1 < count { ranks[best] = merges.rank(ids[best], ids[best + 1]) }
        if best > 0 { ranks[best - 1] = merges.rank(ids[best - 1], ids[best]) }
      }
      for index in 0..<count where ids[index] != Self.noToken { output.append(Int(ids[index])) }
    }
  }
}
