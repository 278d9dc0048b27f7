/// An integer of any size, for the rare arithmetic that leaves 64 bits.
///
/// Sign and magnitude, base 2^32, least limb first, no leading zero limbs; schoolbook algorithms, since a rendering's
/// budget keeps numbers below some thousand bits.
struct BigInteger: Equatable, Sendable {
  private(set) var isNegative: Bool
  private(set) var limbs: [UInt32]

  private init(isNegative: Bool, limbs: [UInt32]) {
    var limbs = limbs
    while limbs.last == 0 { limbs.removeLast() }
    self.limbs = limbs
    self.isNegative = isNegative && !limbs.isEmpty
  }

  init(_ value: Int) {
    let magnitude = UInt64(value.magnitude)
    self.init(isNegative: value < 0, limbs: [UInt32(truncatingIfNeeded: magnitude), UInt32(magnitude >> 32)])
  }

  /// The whole part of a finite `value`; `nil` otherwise.
  init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let whole = value.magnitude.rounded(.towardZero)
    var limbs: [UInt32] = []
    if whole < 0x1p53 {
      limbs = BigInteger(Int(whole)).limbs
    } else {
      let significand = BigInteger(Int(whole.significandBitPattern | 1 << 52))
      limbs = significand.shifted(left: Int(whole.exponent) - 52).limbs
    }
    self.init(isNegative: value < 0, limbs: limbs)
  }

  /// A number written in `radix`, digits only; `nil` when another byte occurs.
  init?(digits: some Sequence<UInt8>, radix: Int) {
    var result: [UInt32] = []
    for byte in digits {
      let digit: Int
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int(byte) - 48
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = Int(byte) - 87
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = Int(byte) - 55
      default: return nil
      }
      guard digit < radix else { return nil }
      BigInteger.multiply(&result, by: UInt32(radix), adding: UInt32(digit))
    }
    self.init(isNegative: false, limbs: result)
  }

  var bitWidth: Int { limbs.isEmpty ? 0 : limbs.count * 32 - (limbs.last ?? 0).leadingZeroBitCount }

  /// The value if it fits 64 bits.
  var small: Int? {
    guard limbs.count <= 2 else { return nil }
    let magnitude = UInt64(limbs.first ?? 0) | UInt64(limbs.count > 1 ? limbs[1] : 0) << 32
    if isNegative { return magnitude <= 1 << 63 ? Int(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int(exactly: magnitude)
  }

  /// The nearest double (rounded by the last limbs that matter), infinite when too large.
  var double: Double {
    if let small { return Double(small) }
    return Double(description) ?? (isNegative ? -.infinity : .infinity)
  }

  static prefix func - (value: BigInteger) -> BigInteger {
    BigInteger(isNegative: !value.isNegative, limbs: value.limbs)
  }

  static func + (left: BigInteger, right: BigInteger) -> BigInteger {
    if left.isNegative == right.isNegative {
      return BigInteger(isNegative: left.isNegative, limbs: sum(left.limbs, right.limbs))
    }
    return compare(left.limbs, right.limbs) < 0
      ? BigInteger(isNegative: right.isNegative, limbs: difference(right.limbs, left.limbs))
      : BigInteger(isNegative: left.isNegative, limbs: difference(left.limbs, right.limbs))
  }

  static func - (left: BigInteger, right: BigInteger) -> BigInteger { left + -right }

  static func * (left: BigInteger, right: BigInteger) -> BigInteger {
    guard !left.limbs.isEmpty, !right.limbs.isEmpty else { return BigInteger(0) }
    var result = [UInt32](repeating: 0, count: left.limbs.count + right.limbs.count)
    for (i, a) in left.limbs.enumerated() {
      var carry: UInt64 = 0
      for (j, b) in right.limbs.enumerated() {
        let total = UInt64(a) * UInt64(b) + UInt64(result[i + j]) + carry
        result[i + j] = UInt32(truncatingIfNeeded: total)
        carry = total >> 32
      }
      result[i + right.limbs.count] = UInt32(truncatingIfNeeded: carry)
    }
    return BigInteger(isNegative: left.isNegative != right.isNegative, limbs: result)
  }

  /// Quotient rounded down and remainder with the divisor's sign, as Python divides; `nil` for a zero divisor.
  func floorDivided(by divisor: BigInteger) -> (quotient: BigInteger, remainder: BigInteger)? {
    guard !divisor.limbs.isEmpty else { return nil }
    var quotient = BigInteger(0)
    var rest = BigInteger(0)
    let magnitude = BigInteger(isNegative: false, limbs: divisor.limbs)
    for bit in stride(from: bitWidth - 1, through: 0, by: -1) {
      rest = rest.shifted(left: 1)
      if limbs[bit / 32] >> UInt32(bit % 32) & 1 == 1 { rest = rest + BigInteger(1) }
      quotient = quotient.shifted(left: 1)
      if BigInteger.compare(rest.limbs, magnitude.limbs) >= 0 {
        rest = rest - magnitude
        quotient = quotient + BigInteger(1)
      }
    }
    if isNegative != divisor.isNegative, !rest.limbs.isEmpty {
      quotient = quotient + BigInteger(1)
      rest = magnitude - rest
    }
    return (isNegative != divisor.isNegative ? -quotient : quotient, divisor.isNegative ? -rest : rest)
  }

  static func < (left: BigInteger, right: BigInteger) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    let order = compare(left.limbs, right.limbs)
    return left.isNegative ? order > 0 : order < 0
  }

  private func shifted(left count: Int) -> BigInteger {
    var result = [UInt32](repeating: 0, count: count / 32)
    let bits = UInt64(count % 32)
    var carry: UInt64 = 0
    for limb in limbs {
      let wide = UInt64(limb) << bits | carry
      result.append(UInt32(truncatingIfNeeded: wide))
      carry = wide >> 32
    }
    result.append(UInt32(truncatingIfNeeded: carry))
    return BigInteger(isNegative: isNegative, limbs: result)
  }

  private static func multiply(_ limbs: inout [UInt32], by factor: UInt32, adding: UInt32) {
    var carry = UInt64(adding)
    for index in limbs.indices {
      let total = UInt64(limbs[index]) * UInt64(factor) + carry
      limbs[index] = UInt32(truncatingIfNeeded: total)
      carry = total >> 32
    }
    if carry > 0 { limbs.append(UInt32(carry)) }
  }

  private static func compare(_ left: [UInt32], _ right: [UInt32]) -> Int {
    if left.count != right.count { return left.count < right.count ? -1 : 1 }
    for index in left.indices.reversed() where left[index] != right[index] {
      return left[index] < right[index] ? -1 : 1
    }
    return 0
  }

  private static func sum(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    var carry: UInt64 = 0
    for index in 0..<max(left.count, right.count) {
      let total =
        UInt64(index < left.count ? left[index] : 0) + UInt64(index < right.count ? right[index] : 0) + carry
      result.append(UInt32(truncatingIfNeeded: total))
      carry = total >> 32
    }
    result.append(UInt32(carry))
    return result
  }

  /// - Precondition: `left` is not smaller than `right`.
  private static func difference(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    var borrow: Int64 = 0
    for index in left.indices {
      var digit = Int64(left[index]) - Int64(index < right.count ? right[index] : 0) - borrow
      borrow = digit < 0 ? 1 : 0
      if digit < 0 { digit += 1 << 32 }
      result.append(UInt32(truncatingIfNeeded: digit))
    }
    return result
  }
}

extension BigInteger: CustomStringConvertible {
  var description: String {
    if limbs.isEmpty { return "0" }
    var rest = limbs
    var groups: [UInt32] = []
    while !rest.isEmpty {
      var carry: UInt64 = 0
      for index in rest.indices.reversed() {
        let wide = carry << 32 | UInt64(rest[index])
        rest[index] = UInt32(wide / 1_000_000_000)
        carry = wide % 1_000_000_000
      }
      groups.append(UInt32(carry))
      while rest.last == 0 { rest.removeLast() }
    }
    var text = isNegative ? "-" : ""
    for (index, group) in groups.reversed().enumerated() {
      let digits = String(group)
      if index > 0 { text += String(repeating: "0", count: 9 - digits.count) }
      text += digits
    }
    return text
  }
}
