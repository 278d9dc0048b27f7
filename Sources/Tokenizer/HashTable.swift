/// What the flat hash tables of this module share.
enum HashTable {
  /// Different in every process, so that no file can be made whose entries all collide.
  private static let seed = UInt64.random(in: .min ... .max)

  /// The power of two that leaves a table of `count` entries between a quarter and half full.
  static func bits(for count: Int) -> Int {
    max(4, Int.bitWidth - (2 * count).leadingZeroBitCount)
  }

  /// A hash whose upper bits choose the slot and whose lower bits tell entries apart.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(bytes.count)
    var index = 0
    // Loads stay below `count`: eight bytes at a time while eight are left, then the rest one by one.
    while index + 8 <= bytes.count {
      hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index += 1
    }
    return mix(hash ^ rest)
  }

  /// A hash of a number.
  static func hash(_ number: UInt64) -> UInt64 {
    mix(number ^ seed)
  }

  /// Every bit of the result depends on every bit of `value`: the two halves of a 128-bit product, folded.
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
