/// The tokens of pieces that were merged before, within one text: most words of a text occur again.
///
/// A direct-mapped table of short pieces with few tokens; others are merged anew each time.
struct PieceCache {
  /// A piece of at most 15 bytes, packed: its bytes, zeros, and in the topmost byte its length.
  struct Key: Equatable {
    fileprivate let low: UInt64
    fileprivate let high: UInt64
  }

  private struct Entry {
    var key = Key(low: 0, high: 0)
    var ids = SIMD4<UInt32>()
    var count = 0
  }

  private var entries: [Entry]
  private static let bits: UInt64 = 12

  /// An empty cache; texts of less than `byteCount` 1000 don't repeat enough to pay for one.
  init(byteCount: Int) {
    entries = byteCount < 1000 ? [] : [Entry](repeating: Entry(), count: 1 << Self.bits)
  }

  /// The key of a piece; nil when it is too long or empty, or when there is no table.
  @inline(__always)
  func key(_ bytes: UnsafeBufferPointer<UInt8>, _ piece: Range<Int>) -> Key? {
    guard !entries.isEmpty, piece.count <= 15, piece.count > 0 else { return nil }
    var low: UInt64 = 0
    var high: UInt64 = 0
    if piece.lowerBound + 16 <= bytes.count {
      // Both loads lie within the text by the line above.
      let raw = UnsafeRawBufferPointer(bytes)
      low = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: piece.lowerBound, as: UInt64.self))
      high = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: piece.lowerBound + 8, as: UInt64.self))
      if piece.count < 8 {
        low &= 1 << UInt64(8 * piece.count) - 1
        high = 0
      } else {
        high &= 1 << UInt64(8 * (piece.count - 8)) - 1
      }
    } else {
      for (offset, byte) in bytes[piece].enumerated() {
        if offset < 8 {
          low |= UInt64(byte) << UInt64(8 * offset)
        } else {
          high |= UInt64(byte) << UInt64(8 * offset - 64)
        }
      }
    }
    return Key(low: low, high: high | UInt64(piece.count) << 56)
  }

  /// Appends the tokens noted for `key`; false when there are none.
  @inline(__always)
  func append(_ key: Key, to ids: inout [Int]) -> Bool {
    let entry = entries[Self.slot(key)]
    guard entry.key == key else { return false }
    for index in 0..<entry.count { ids.append(Int(entry.ids[index])) }
    return true
  }

  /// Notes the tokens of a piece, unless there are more than four.
  mutating func insert(_ key: Key, _ ids: ArraySlice<Int>) {
    guard ids.count <= 4 else { return }
    var entry = Entry(key: key, count: ids.count)
    for (index, id) in ids.enumerated() { entry.ids[index] = UInt32(truncatingIfNeeded: id) }
    entries[Self.slot(key)] = entry
  }

  @inline(__always)
  private static func slot(_ key: Key) -> Int {
    let mixed = (key.low ^ key.high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Int(mixed >> (64 - bits))
  }
}
