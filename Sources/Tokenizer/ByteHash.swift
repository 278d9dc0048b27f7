/// The hash of the flat tables of this module: its upper bits choose a slot, its lower 32 tell entries apart.
struct ByteHash: Sendable {
  /// Different for every table, so that no file can be made whose entries all collide.
  private let seed = UInt64.random(in: .min ... .max)

  /// The power of two that leaves a table of `count` entries at most half full.
  static func bits(for count: Int) -> Int {
    max(4, Int.bitWidth - (2 * count).leadingZeroBitCount)
  }

  /// The hash of bytes.
  @inline(__always)
  func callAsFunction(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return mix(seed) }
    let count = bytes.count
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    // Every load lies within the bytes: whole words first, then the last word, which overlaps them.
    func word(_ offset: Int) -> UInt64 { base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    func half(_ offset: Int) -> UInt64 { UInt64(base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    if count >= 8 {
      var index = 0
      while index + 8 < count {
        hash = mix(hash ^ word(index))
        index += 8
      }
      return mix(hash ^ word(count - 8))
    }
    if count >= 4 { return mix(hash ^ (half(0) << 32 | half(count - 4))) }
    let ends = UInt64(bytes[0]) << 16 | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1])
    return mix(hash ^ ends)
  }

  /// The hash of a number.
  @inline(__always)
  func callAsFunction(_ number: UInt64) -> UInt64 {
    mix(number ^ seed)
  }

  /// Every bit of the result depends on every bit of `value`: the two halves of a 128-bit product, folded.
  @inline(__always)
  private func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
