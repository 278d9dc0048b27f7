#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The ids of a vocabulary by spelling.
///
/// Flat open addressing: a slot holds half of the spelling's hash, its place and the id, so that building the table
/// costs one pass over the file's bytes, and finding a spelling looks at two places in memory.
final class VocabularyTable: Sendable {
  /// An entry; empty when `next` is 0.
  private struct Slot {
    var tag: UInt32 = 0
    /// The id + 1.
    var next: UInt32 = 0
    var start: UInt32 = 0
    var length: UInt32 = 0
  }

  let spellings: Spellings
  private let hash = ByteHash()
  private let slots: [Slot]
  /// Whether looking up an id's spelling leads to that id.
  private let isFound: [Bool]
  private let shift: UInt64

  /// The number of ids.
  var count: Int { spellings.count }

  /// Makes ids findable by spelling where `isFindable` says so; of equal spellings the last id is found.
  init(_ spellings: Spellings, isFindable: (Int) -> Bool) {
    self.spellings = spellings
    let bits = ByteHash.bits(for: spellings.count)
    shift = UInt64(64 - bits)
    var slots = [Slot](repeating: Slot(), count: 1 << bits)
    var isFound = [Bool](repeating: false, count: spellings.count)
    for id in 0..<spellings.count where isFindable(id) {
      let bytes = spellings[id]
      let hash = hash(bytes)
      var slot = Int(hash >> shift)
      while slots[slot].next != 0, !Self.matches(slots[slot], hash, bytes, spellings) {
        slot = (slot + 1) & (slots.count - 1)
      }
      if slots[slot].next != 0 { isFound[Int(slots[slot].next) - 1] = false }
      isFound[id] = true
      let range = spellings.range(of: id)
      slots[slot] = Slot(
        tag: UInt32(truncatingIfNeeded: hash), next: UInt32(id + 1), start: range.start, length: range.length)
    }
    self.slots = slots
    self.isFound = isFound
  }

  /// The id of the text token spelled `bytes`, if there is one.
  func id(of bytes: UnsafeRawBufferPointer) -> Int? {
    let hash = hash(bytes)
    var slot = Int(hash >> shift)
    while slots[slot].next != 0 {
      if Self.matches(slots[slot], hash, bytes, spellings) { return Int(slots[slot].next) - 1 }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// The same, for bytes that are likely spelled by token `guess` or the one behind it.
  func id(of bytes: UnsafeRawBufferPointer, near guess: Int) -> Int? {
    if isFound[guess], Self.areEqual(spellings[guess], bytes) { return guess }
    if guess + 1 < count, isFound[guess + 1], Self.areEqual(spellings[guess + 1], bytes) { return guess + 1 }
    return id(of: bytes)
  }

  @inline(__always)
  private static func matches(
    _ slot: Slot, _ hash: UInt64, _ bytes: UnsafeRawBufferPointer, _ spellings: Spellings
  ) -> Bool {
    slot.tag == UInt32(truncatingIfNeeded: hash) && areEqual(spellings.bytes(slot.start, slot.length), bytes)
  }

  @inline(__always)
  private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBytes = left.baseAddress, let rightBytes = right.baseAddress else { return true }
    // Both hold `count` bytes.
    return memcmp(leftBytes, rightBytes, left.count) == 0
  }
}
