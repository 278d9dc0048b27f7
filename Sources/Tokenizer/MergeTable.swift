import GGUF

/// Which two neighbouring tokens merge into which one, and in which order.
///
/// The lower a merge's rank, the earlier it is applied; the rank is its place in the file's list.
struct MergeTable: Sendable {
  /// A merge that applies to a pair.
  struct Merge {
    let rank: UInt32
    let id: UInt32
  }

  /// Merges of the list that name a token which the vocabulary doesn't have, and so never apply.
  let unresolved: Int
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
    var pairs = [UInt64](repeating: .max, count: lines.count)
    var results = [UInt32](repeating: 0, count: lines.count)
    var unresolved = 0
    var joined: [UInt8] = []
    for rank in 0..<lines.count {
      let line = lines[rank]
      // A token is at least one byte long, so the space that separates can't be the first byte.
      guard line.count > 2, let space = line[1...].firstIndex(of: UInt8(ascii: " ")), space + 1 < line.count else {
        throw .invalid(key: "tokenizer.ggml.merges", reason: "entry \(rank) is not two tokens with a space between")
      }
      let left = UnsafeRawBufferPointer(rebasing: line[..<space])
      let right = UnsafeRawBufferPointer(rebasing: line[(space + 1)...])
      joined.removeAll(keepingCapacity: true)
      joined.append(contentsOf: left)
      joined.append(contentsOf: right)
      guard let leftID = vocabulary.id(of: left), let rightID = vocabulary.id(of: right),
        let id = joined.withUnsafeBytes({ vocabulary.id(of: $0) })
      else {
        unresolved += 1
        continue
      }
      pairs[rank] = Self.key(UInt32(leftID), UInt32(rightID))
      results[rank] = UInt32(id)
    }
    self.pairs = pairs
    self.results = results
    self.unresolved = unresolved
    let bits = HashTable.bits(for: lines.count)
    shift = UInt64(64 - bits)
    slots = Self.table(of: pairs, bits: bits)
  }

  /// The merge of two neighbours, if there is one.
  func merge(_ left: UInt32, _ right: UInt32) -> Merge? {
    let key = Self.key(left, right)
    let hash = HashTable.hash(key)
    var slot = Int(hash >> shift)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash & 0xFFFF_FFFF {
        let rank = Int(slots[slot] & 0xFFFF_FFFF) - 1
        if pairs[rank] == key { return Merge(rank: UInt32(rank), id: results[rank]) }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private static func key(_ left: UInt32, _ right: UInt32) -> UInt64 {
    UInt64(left) << 32 | UInt64(right)
  }

  /// The slots for `pairs`; of equal pairs the first, which has the lower rank, is found.
  private static func table(of pairs: [UInt64], bits: Int) -> [UInt64] {
    var slots = [UInt64](repeating: 0, count: 1 << bits)
    for (rank, pair) in pairs.enumerated() where pair != .max {
      let hash = HashTable.hash(pair)
      var slot = Int(hash >> UInt64(64 - bits))
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = hash << 32 | UInt64(rank + 1)
    }
    return slots
  }
}
