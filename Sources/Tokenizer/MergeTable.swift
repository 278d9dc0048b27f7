import GGUF

/// Which two neighbouring tokens merge into which one, and in which order.
///
/// The lower a merge's rank, the earlier it is applied; the rank is its place in the file's list.
final class MergeTable: Sendable {
  /// Stands for the rank of a merge that isn't there.
  static let noRank = UInt32.max

  /// Merges of the list that name a token which the vocabulary doesn't have, and so never apply.
  let unresolved: Int
  private let hash = ByteHash()
  /// 0 for an empty slot, else hash bits above and rank + 1 below.
  private let slots: [UInt64]
  private let shift: UInt64
  /// By rank: the pair (left id above, right id below) and what it becomes.
  private let pairs: [UInt64]
  private let results: [UInt32]

  /// Reads lines of the form `left right`.
  ///
  /// - Throws: `TokenizerError.invalid` for a line of another form.
  init(_ lines: StringArray, vocabulary: VocabularyTable) throws(TokenizerError) {
    let resolved = try MergeResolver.resolve(lines, vocabulary)
    (pairs, results) = (resolved.pairs, resolved.results)
    unresolved = pairs.count { $0 == MergeResolver.unresolved }
    let bits = ByteHash.bits(for: lines.count)
    shift = UInt64(64 - bits)
    var slots = [UInt64](repeating: 0, count: 1 << bits)
    for (rank, pair) in pairs.enumerated() where pair != MergeResolver.unresolved {
      // Of equal pairs the first, which has the lower rank, is found first.
      let hash = hash(pair)
      var slot = Int(hash >> shift)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = hash << 32 | UInt64(rank + 1)
    }
    self.slots = slots
  }

  /// The rank of the merge of two neighbours; `noRank` when there is none.
  @inline(__always)
  func rank(_ left: UInt32, _ right: UInt32) -> UInt32 {
    let pair = UInt64(left) << 32 | UInt64(right)
    let hash = hash(pair)
    var slot = Int(hash >> shift)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash & 0xFFFF_FFFF {
        let rank = Int(slots[slot] & 0xFFFF_FFFF) - 1
        if pairs[rank] == pair { return UInt32(truncatingIfNeeded: rank) }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return Self.noRank
  }

  /// The token that the merge of this rank leads to.
  @inline(__always)
  func result(_ rank: UInt32) -> UInt32 {
    results[Int(rank)]
  }
}
