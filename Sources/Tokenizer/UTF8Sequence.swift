/// The well-formed byte sequences of UTF-8 (table 3-7 of the Unicode standard).
enum UTF8Sequence {
  /// The value and length of the scalar at `index` of `bytes`; nil when the bytes before `end` are not well-formed there.
  static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at index: Int, end: Int) -> (value: UInt32, length: Int)? {
    let lead = bytes[index]
    if lead < 0x80 { return (UInt32(lead), 1) }
    guard let (length, second) = form(lead), index + length <= end, second.contains(bytes[index + 1]) else {
      return nil
    }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for byte in bytes[(index + 1)..<(index + length)] {
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return (value, length)
  }

  /// How long the sequence with this lead byte is and which second bytes it allows; nil for ASCII and for bytes that
  /// lead nothing.
  private static func form(_ lead: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
    switch lead {
    case 0xC2...0xDF: (2, 0x80...0xBF)
    case 0xE0: (3, 0xA0...0xBF)
    case 0xED: (3, 0x80...0x9F)
    case 0xE1...0xEF: (3, 0x80...0xBF)
    case 0xF0: (4, 0x90...0xBF)
    case 0xF1...0xF3: (4, 0x80...0xBF)
    case 0xF4: (4, 0x80...0x8F)
    default: nil
    }
  }
}
