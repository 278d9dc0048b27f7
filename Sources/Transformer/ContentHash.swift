/// A 128-bit hash of bytes, fast enough for caches of hundreds of megabytes. It finds accidents, not forgeries: who wants
/// two contents of the same hash can make them.
///
/// Each half of the state takes a word of every 16 bytes, is multiplied to 128 bits with an odd constant of its own, and
/// folded; at the end of a piece the bytes that are left and their number go in, and the halves are mixed. The same bytes in other pieces give another
/// hash.
struct ContentHash {
  // From SplitMix64 (Steele, Lea, Flood, 2014) and the fraction of the golden ratio.
  private static let constants: (UInt64, UInt64) = (0xBF58_476D_1CE4_E5B9, 0x9E37_79B9_7F4A_7C15)
  private(set) var low: UInt64 = 0x94D0_49BB_1331_11EB
  private(set) var high: UInt64 = 0xD1B5_4A32_D192_ED03

  /// Takes a piece.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let whole = bytes.count / 16 * 16
    var (a, b) = (low, high)
    var offset = 0
    // Loads end at `whole`, which is at most the count.
    while offset < whole {
      let first = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let second = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
      a = Self.fold(a ^ first, Self.constants.0)
      b = Self.fold(b ^ second, Self.constants.1)
      offset += 16
    }
    (low, high) = (a, b)
    var rest: (UInt64, UInt64) = (0, 0)
    for index in whole..<bytes.count {
      let (byte, place) = (UInt64(bytes[index]), UInt64(index - whole))
      if place < 8 { rest.0 |= byte << (8 * place) } else { rest.1 |= byte << (8 * (place - 8)) }
    }
    // The last byte is free: at most 15 are left.
    update(rest.0, rest.1 | UInt64(bytes.count - whole) << 56)
  }

  /// Takes two words, and mixes the halves.
  mutating func update(_ first: UInt64, _ second: UInt64) {
    let (a, b) = (Self.fold(low ^ first, Self.constants.0), Self.fold(high ^ second, Self.constants.1))
    low = Self.fold(a &+ (b >> 32 | b << 32), Self.constants.1)
    high = Self.fold(b ^ (a >> 29 | a << 35), Self.constants.0)
  }

  /// A product's two halves, one upon the other, and the factor again so that a zero doesn't end it all.
  private static func fold(_ x: UInt64, _ constant: UInt64) -> UInt64 {
    let product = (x &+ constant).multipliedFullWidth(by: constant)
    return product.high ^ product.low ^ x
  }
}
