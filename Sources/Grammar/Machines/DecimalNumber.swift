import JSON

/// An exact decimal: `0.d₁d₂d₃… × 10^point`, with no zero at either end of the digits.
struct DecimalNumber: Hashable, Comparable, Sendable {
  private(set) var isNegative = false
  private(set) var digits: [UInt8] = []
  private(set) var point = 0

  var isZero: Bool { digits.isEmpty }

  /// Digits before the point; `[0]` when there are none.
  var integerDigits: [UInt8] {
    if point <= 0 { return [0] }
    return (0..<point).map { $0 < digits.count ? digits[$0] : 0 }
  }

  /// Digits after the point, without zeros at the end.
  var fractionDigits: [UInt8] {
    if isZero { return [] }
    if point >= digits.count { return [] }
    return point >= 0 ? Array(digits[point...]) : [UInt8](repeating: 0, count: -point) + digits
  }

  var isInteger: Bool { fractionDigits.isEmpty }

  /// A number as a JSON text spells it; `nil` when it isn't one.
  init?(_ text: String) {
    var point: Int?
    var exponent = 0
    let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x65 || $0 == 0x45 }
    guard let mantissa = parts.first, !mantissa.isEmpty, parts.count <= 2 else { return nil }
    if parts.count == 2 {
      guard let value = Int(String(parts[1]) ?? ""), abs(value) < 100_000 else { return nil }
      exponent = value
    }
    for (index, byte) in mantissa.enumerated() {
      switch byte {
      case 0x2D where index == 0: isNegative = true
      case 0x2B where index == 0: break
      case 0x2E where point == nil: point = digits.count
      case 0x30...0x39: digits.append(byte - 0x30)
      default: return nil
      }
    }
    self.point = (point ?? digits.count) + exponent
    let leading = digits.prefix { $0 == 0 }.count
    digits.removeFirst(leading)
    self.point -= leading
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty {
      self.point = 0
      isNegative = false
    }
  }

  init(_ value: Int) {
    isNegative = value < 0
    digits = String(value.magnitude).utf8.map { $0 - 0x30 }
    if value == 0 { digits = [] }
    point = digits.count
    while digits.last == 0 { digits.removeLast() }
  }

  /// The number of a JSON value; `nil` for other values and for infinities.
  init?(_ value: JSONValue) {
    switch value {
    case .integer(let number): self.init(number)
    case .double(let number) where number.isFinite: self.init("\(number)")
    default: return nil
    }
  }

  static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    let isSmaller = magnitudeIsSmaller(left, right)
    return left.isNegative ? magnitudeIsSmaller(right, left) : isSmaller
  }

  private static func magnitudeIsSmaller(_ left: DecimalNumber, _ right: DecimalNumber) -> Bool {
    if left.isZero || right.isZero { return left.isZero && !right.isZero }
    if left.point != right.point { return left.point < right.point }
    return left.digits.lexicographicallyPrecedes(right.digits)
  }

  /// The plain decimal spelling: no exponent, no needless zero.
  var spelling: String {
    var text = isNegative ? "-" : ""
    for digit in integerDigits { text.unicodeScalars.append(Unicode.Scalar(digit + 0x30)) }
    if !isInteger {
      text += "."
      for digit in fractionDigits { text.unicodeScalars.append(Unicode.Scalar(digit + 0x30)) }
    }
    return text
  }
}

extension DecimalNumber {
  /// The smallest number that is a multiple of both, which are above 0; `nil` when it has more than 17 digits.
  func leastCommonMultiple(_ other: DecimalNumber) -> DecimalNumber? {
    let scale = max(fractionDigits.count, other.fractionDigits.count)
    func scaled(_ number: DecimalNumber) -> Int? {
      let digits = number.integerDigits + number.fractionDigits
      guard digits.count + scale - number.fractionDigits.count <= 17 else { return nil }
      let value = digits.reduce(0) { $0 * 10 + Int($1) }
      return (number.fractionDigits.count..<scale).reduce(value) { value, _ in value * 10 }
    }
    guard let mine = scaled(self), let others = scaled(other), mine > 0, others > 0 else { return nil }
    var (divisor, remainder) = (mine, others)
    while remainder != 0 { (divisor, remainder) = (remainder, divisor % remainder) }
    let (product, overflow) = (mine / divisor).multipliedReportingOverflow(by: others)
    guard !overflow, product < 100_000_000_000_000_000 else { return nil }
    var result = DecimalNumber(product)
    result.point -= scale
    return result
  }

  /// Exact, whatever the scales: both become integers, then long division.
  func isMultiple(of step: DecimalNumber) -> Bool {
    if isZero { return true }
    if step.isZero { return false }
    let scale = max(fractionDigits.count, step.fractionDigits.count)
    func scaled(_ number: DecimalNumber) -> [UInt8] {
      number.integerDigits + number.fractionDigits
        + [UInt8](repeating: 0, count: scale - number.fractionDigits.count)
    }
    guard
      let divisor = scaled(step).reduce(
        UInt64?.some(0),
        { sum, digit in
          guard let sum, sum < 100_000_000_000_000_000 else { return nil }
          return sum * 10 + UInt64(digit)
        })
    else { return false }
    var remainder: UInt64 = 0
    for digit in scaled(self) { remainder = (remainder * 10 + UInt64(digit)) % divisor }
    return remainder == 0
  }
}
