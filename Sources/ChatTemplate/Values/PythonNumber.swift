import JSON

/// Numbers as Python prints and reads them.
enum PythonNumber {
  /// `repr(value)`: the shortest digits that read back, `1e+16` from 1e16 on and `1e-05` below 1e-4.
  static func text(_ value: Double) -> String {
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-inf" : "inf" }
    return value.shortestDecimal
  }

  /// `value` rounded to `places` decimals, halves to even, written without an exponent.
  static func fixed(_ value: Double, places: Int) -> String {
    if !value.isFinite { return text(value) }
    // A double is a binary fraction: its exact decimal expansion is finite and rounds without error.
    var digits = exactDigits(value.magnitude, places: places)
    if places > 0 {
      while digits.count <= places { digits = "0" + digits }
      let cut = digits.index(digits.endIndex, offsetBy: -places)
      digits = digits[..<cut] + "." + digits[cut...]
    }
    return (value.sign == .minus ? "-" : "") + digits
  }

  private static func exactDigits(_ value: Double, places: Int) -> String {
    if value == 0 { return String(repeating: "0", count: places + 1) }
    // value = significand * 2^exponent; scaled = value * 10^places, rounded half to even.
    let exponent = Int(value.exponent) - 52
    let significand =
      value.isNormal
      ? BigInteger(Int(value.significandBitPattern | 1 << 52)) : BigInteger(Int(value.significandBitPattern))
    let binary = value.isNormal ? exponent : -1074
    var scaled = significand
    for _ in 0..<places { scaled = scaled * BigInteger(10) }
    if binary >= 0 { return (scaled * power(BigInteger(2), binary)).description }
    let divisor = power(BigInteger(2), -binary)
    guard let (quotient, rest) = scaled.floorDivided(by: divisor) else { return "0" }
    let twice = rest + rest
    let isOdd = (quotient.limbs.first ?? 0) & 1 == 1
    let up = divisor < twice || (twice == divisor && isOdd)
    return (up ? quotient + BigInteger(1) : quotient).description
  }

  /// `base` to the power of a small `exponent`.
  static func power(_ base: BigInteger, _ exponent: Int) -> BigInteger {
    var result = BigInteger(1)
    var square = base
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 { result = result * square }
      rest >>= 1
      if rest > 0 { square = square * square }
    }
    return result
  }

  /// Python's `int(text, base)`; `nil` where Python raises.
  static func integer(_ text: Text, base: Int = 10) -> Value? {
    var digits = text.stripped(.both).bytes[...]
    var negative = false
    if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      negative = sign == UInt8(ascii: "-")
      digits = digits.dropFirst()
    }
    var radix = base
    if digits.count > 2, digits.first == UInt8(ascii: "0") {
      let prefixes: [UInt8: Int] = [
        UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2,
      ]
      if let named = prefixes[digits[digits.startIndex + 1] | 0x20], base == named || base == 0 {
        radix = named
        digits = digits.dropFirst(2)
      }
    }
    if radix == 0 { radix = 10 }
    let underscore = UInt8(ascii: "_")
    guard (2...36).contains(radix), let first = digits.first, let last = digits.last, first != underscore,
      last != underscore, digits.count <= 4300
    else { return nil }
    guard let magnitude = BigInteger(digits: digits.filter { $0 != underscore }, radix: radix) else { return nil }
    return Value(negative ? -magnitude : magnitude)
  }

  /// Python's `float(text)`; `nil` where Python raises.
  static func double(_ text: Text) -> Double? {
    let trimmed = text.stripped(.both).string.lowercased()
    switch trimmed {
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    case "nan", "+nan", "-nan": return .nan
    default:
      let plain = trimmed.filter { $0 != "_" }
      guard plain.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 101].contains($0) }) else { return nil }
      let padded = plain.hasSuffix(".") ? plain + "0" : plain
      return Double(padded.replacingLeadingPoint)
    }
  }
}

extension String {
  /// `.5` as `0.5`, and `-.5` as `-0.5`: forms that Swift's parser refuses and Python's takes.
  fileprivate var replacingLeadingPoint: String {
    if hasPrefix(".") { return "0" + self }
    if hasPrefix("-.") || hasPrefix("+.") { return prefix(1) + "0" + dropFirst() }
    return self
  }
}

extension Value {
  /// An integer in its smallest form.
  init(_ number: BigInteger) { self = number.small.map { .integer($0) } ?? .big(number) }
}
