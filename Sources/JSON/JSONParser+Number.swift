extension JSONParser {
  /// Parses the number that begins at the position with a digit or a minus sign.
  mutating func parseNumber() throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = current == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let integerStart = position
    skipDigits()
    guard position > integerStart, bytes[integerStart] != UInt8(ascii: "0") || position == integerStart + 1 else {
      throw error(.invalidNumber, at: start)
    }
    let integerEnd = position
    var isInteger = true
    if current == UInt8(ascii: ".") {
      isInteger = false
      try skipFraction(from: start)
    }
    if current | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      try skipExponent(from: start)
    }
    if isInteger, let value = integer(integerStart..<integerEnd, isNegative: isNegative) { return .integer(value) }
    // The slice holds only ASCII digits, signs, '.' and 'e', so that the library's exact conversion accepts it.
    guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), value.isFinite else {
      throw error(.numberOutOfRange, at: start)
    }
    return .double(value)
  }

  private mutating func skipDigits() {
    while position < bytes.count, bytes[position] >= UInt8(ascii: "0"), bytes[position] <= UInt8(ascii: "9") {
      position += 1
    }
  }

  private mutating func skipFraction(from start: Int) throws(JSONError) {
    position += 1
    let digits = position
    skipDigits()
    if position == digits { throw error(.invalidNumber, at: start) }
  }

  private mutating func skipExponent(from start: Int) throws(JSONError) {
    position += 1
    if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
    let digits = position
    skipDigits()
    if position == digits { throw error(.invalidNumber, at: start) }
  }

  /// The digits in `range` as an integer; nil when it does not fit.
  private func integer(_ range: Range<Int>, isNegative: Bool) -> Int? {
    var value = 0
    for byte in bytes[range] {
      let digit = Int(byte - UInt8(ascii: "0"))
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }
}
