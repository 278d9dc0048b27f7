/// A set of bytes as 256 bits.
struct ByteSet: Hashable, Sendable {
  var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  init() {}

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { insert(byte) }
  }

  static func == (left: ByteSet, right: ByteSet) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word =
      byte < 128 ? (byte < 64 ? words.0 : words.1) : (byte < 192 ? words.2 : words.3)
    return word >> UInt64(byte & 63) & 1 == 1
  }

  mutating func insert(_ byte: UInt8) {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    default: words.3 |= bit
    }
  }

  mutating func formUnion(_ other: ByteSet) {
    words.0 |= other.words.0
    words.1 |= other.words.1
    words.2 |= other.words.2
    words.3 |= other.words.3
  }

  var isEmpty: Bool { words.0 | words.1 | words.2 | words.3 == 0 }

  var count: Int {
    words.0.nonzeroBitCount + words.1.nonzeroBitCount + words.2.nonzeroBitCount + words.3.nonzeroBitCount
  }

  /// The members in ascending order.
  var members: [UInt8] {
    var result: [UInt8] = []
    for (index, start) in [words.0, words.1, words.2, words.3].enumerated() {
      var rest = start
      while rest != 0 {
        result.append(UInt8(truncatingIfNeeded: index * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return result
  }
}
