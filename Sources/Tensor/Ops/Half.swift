/// Conversion between `Float` and IEEE 754 binary16 bits, for the Swift twins. (`Float16` isn't there on every platform
/// that the package builds for.)
enum Half {
  /// The bits of the half nearest to `value`, ties to even; infinity beyond 65,504.
  static func bits(_ value: Float) -> UInt16 {
    let sign = UInt16(truncatingIfNeeded: value.bitPattern >> 16) & 0x8000
    let magnitude = value.magnitude
    if value.isNaN { return sign | 0x7E00 }
    if magnitude >= 65520 { return sign | 0x7C00 }
    // Below 2^-14 halves are multiples of 2^-24, which a float product counts exactly.
    if magnitude < 0x1p-14 { return sign | UInt16((magnitude * 0x1p24).rounded(.toNearestOrEven)) }
    let pattern = magnitude.bitPattern
    let rounded = pattern &+ 0xFFF &+ (pattern >> 13 & 1)
    return sign | UInt16(truncatingIfNeeded: (rounded >> 13) &- (112 << 10))
  }

  /// The value of half `bits`, exactly.
  static func value(_ bits: UInt16) -> Float {
    let exponent = UInt32(bits >> 10 & 0x1F)
    let fraction = UInt32(bits & 0x3FF)
    let magnitude: Float
    switch exponent {
    case 0: magnitude = Float(fraction) * 0x1p-24
    case 31: magnitude = fraction == 0 ? .infinity : .nan
    default: magnitude = Float(bitPattern: (exponent + 112) << 23 | fraction << 13)
    }
    return bits & 0x8000 == 0 ? magnitude : -magnitude
  }
}
