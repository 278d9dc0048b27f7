extension JSONParser {
  /// Parses the string whose opening quote stands at the position.
  mutating func parseString() throws(JSONError) -> String {
    position += 1
    let start = position
    skipPlainBytes()
    if current == UInt8(ascii: "\""), position < bytes.count {
      defer { position += 1 }
      return try text(of: bytes[start..<position], at: start)
    }
    var content = Array(bytes[start..<position])
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return try text(of: content[...], at: start)
      case UInt8(ascii: "\\"):
        try parseEscape(into: &content)
      case let byte where byte < 0x20:
        throw error(.controlCharacter(byte))
      default:
        let run = position
        skipPlainBytes()
        content += bytes[run..<position]
      }
    }
    throw error(.unexpectedEnd(expected: "'\"'"))
  }

  /// Moves to the next quote, backslash or control character.
  private mutating func skipPlainBytes() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
      position += 1
    }
  }

  /// `content` as a string; escapes put only whole scalars into it, so what is invalid came from the text itself.
  private func text(of content: ArraySlice<UInt8>, at start: Int) throws(JSONError) -> String {
    guard let text = String(validating: content, as: UTF8.self) else { throw error(.invalidUTF8, at: start) }
    return text
  }

  /// Parses the escape whose backslash stands at the position.
  private mutating func parseEscape(into content: inout [UInt8]) throws(JSONError) {
    let start = position
    position += 1
    guard position < bytes.count else { throw error(.unexpectedEnd(expected: "an escape")) }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(letter)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): content += Array(String(try parseUnicodeEscape(from: start)).utf8)
    default: throw error(.invalidEscape, at: start)
    }
  }

  /// The scalar of the `\u` escape that began at `start`, with its second half when it is a surrogate pair.
  private mutating func parseUnicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try parseHexUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if unit < 0xDC00, current == UInt8(ascii: "\\"), position + 1 < bytes.count,
      bytes[position + 1] == UInt8(ascii: "u")
    {
      let second = position
      position += 2
      let low = try parseHexUnit()
      if (0xDC00...0xDFFF).contains(low) {
        let value = 0x10000 + (UInt32(unit - 0xD800) << 10 | UInt32(low - 0xDC00))
        if let scalar = Unicode.Scalar(value) { return scalar }
      }
      position = second  // not the other half: it is read again by itself
    }
    switch loneSurrogates {
    case .refuse: throw error(.loneSurrogate, at: start)
    case .replace: return "\u{FFFD}"
    }
  }

  /// The four hexadecimal digits at the position.
  private mutating func parseHexUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch current {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = current - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = current - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = current - UInt8(ascii: "A") + 10
      default: throw unexpected(expected: "four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
