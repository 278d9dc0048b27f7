/// Conversions between float32 and the two 16-bit formats, by bits: exact everywhere, also where the platform has no
/// `Float16` type (macOS on Intel) or no instruction for it.
enum HalfFloat {
  /// The value of an IEEE 754 binary16 number. Exact, including subnormal numbers, infinities and NaN.
  static func float(_ half: UInt16) -> Float {
    let magnitude = UInt32(half & 0x7FFF) << 13
    let sign = UInt32(half & 0x8000) << 16
    // With the exponent field moved into place the number is too small by the difference of the two biases, 127 - 15.
    // Multiplying by a power of two is exact, and brings subnormal numbers right along.
    let scaled = (Float(bitPattern: magnitude) * 0x1p112).bitPattern
    let isSpecial = half & 0x7C00 == 0x7C00
    return Float(bitPattern: (isSpecial ? 0x7F80_0000 | magnitude : scaled) | sign)
  }

  /// The nearest binary16 number, ties to even; what is too large becomes infinity.
  static func half(_ float: Float) -> UInt16 {
    let magnitude = float.bitPattern & 0x7FFF_FFFF
    let sign = UInt16(truncatingIfNeeded: float.bitPattern >> 16) & 0x8000
    if magnitude > 0x7F80_0000 { return sign | 0x7E00 }
    if magnitude >= 0x477F_F000 { return sign | 0x7C00 }  // 65520 and above round to infinity
    if magnitude < 0x3880_0000 {  // below 2^-14: the result is subnormal, a multiple of 2^-24
      // Next to 0.5 floats are 2^-24 apart, so that this sum rounds to the multiple.
      let rounded = (Float(bitPattern: magnitude) + 0.5).bitPattern - Float(0.5).bitPattern
      return sign | UInt16(truncatingIfNeeded: rounded)
    }
    let rounded = magnitude + 0xFFF + ((magnitude >> 13) & 1)
    return sign | UInt16(truncatingIfNeeded: (rounded >> 13) - (112 << 10))
  }

  /// The value of a bfloat16 number: the upper half of a float32.
  static func float(brain: UInt16) -> Float {
    Float(bitPattern: UInt32(brain) << 16)
  }

  /// The nearest bfloat16 number, ties to even; NaN stays NaN.
  static func brain(_ float: Float) -> UInt16 {
    let bits = float.bitPattern
    if float.isNaN { return UInt16(truncatingIfNeeded: bits >> 16) | 0x40 }
    return UInt16(truncatingIfNeeded: (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)
  }
}
