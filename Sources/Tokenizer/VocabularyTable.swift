import GGUF

/// The spellings of a vocabulary, viewed where they lie in the file, and their ids by spelling.
///
/// Flat open addressing: a slot holds half of the spelling's hash and the id, so that building it costs one pass over
/// the file's bytes and finding a spelling rarely looks at another one's.
struct VocabularyTable: Sendable {
  let spellings: StringArray
  /// 0 for an empty slot, else hash bits above and id + 1 below.
  private let slots: [UInt64]
  private let shift: UInt64

  /// The number of ids.
  var count: Int { spellings.count }

  /// Makes ids findable by spelling where `isFindable` says so; of equal spellings the last id is found.
  init(_ spellings: StringArray, isFindable: (Int) -> Bool) {
    self.spellings = spellings
    let bits = HashTable.bits(for: spellings.count)
    shift = UInt64(64 - bits)
    var slots = [UInt64](repeating: 0, count: 1 << bits)
    for id in 0..<spellings.count where isFindable(id) {
      let bytes = spellings[id]
      let hash = HashTable.hash(bytes)
      var slot = Int(hash >> shift)
      while slots[slot] != 0, !Self.matches(slots[slot], hash, bytes, spellings) {
        slot = (slot + 1) & (slots.count - 1)
      }
      slots[slot] = hash << 32 | UInt64(id + 1)
    }
    self.slots = slots
  }

  /// The id of the normal token spelled `bytes`, if there is one.
  func id(of bytes: UnsafeRawBufferPointer) -> Int? {
    let hash = HashTable.hash(bytes)
    var slot = Int(hash >> shift)
    while slots[slot] != 0 {
      if Self.matches(slots[slot], hash, bytes, spellings) { return Int(slots[slot] & 0xFFFF_FFFF) - 1 }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private static func matches(
    _ slot: UInt64, _ hash: UInt64, _ bytes: UnsafeRawBufferPointer, _ spellings: StringArray
  ) -> Bool {
    guard slot >> 32 == hash & 0xFFFF_FFFF else { return false }
    let other = spellings[Int(slot & 0xFFFF_FFFF) - 1]
    return other.count == bytes.count && other.elementsEqual(bytes)
  }
}
