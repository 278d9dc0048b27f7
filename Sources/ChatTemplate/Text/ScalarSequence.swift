/// The Unicode scalars of well-formed UTF-8, one after the other, each with the byte range that it occupies.
struct ScalarSequence: Sequence, IteratorProtocol {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> (scalar: Unicode.Scalar, range: Range<Int>)? {
    guard position < bytes.count else { return nil }
    let (scalar, width) = ScalarSequence.decode(bytes, at: position)
    defer { position += width }
    return (scalar, position..<position + width)
  }

  /// The scalar that begins at `index`, and its width; U+FFFD for what is no scalar.
  ///
  /// - Precondition: `index` is within the bytes.
  static func decode(_ bytes: [UInt8], at index: Int) -> (Unicode.Scalar, Int) {
    let lead = bytes[index]
    guard lead >= 0x80 else { return (Unicode.Scalar(lead), 1) }
    let width = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC0, index + width <= bytes.count else { return ("\u{FFFD}", 1) }
    var value = UInt32(lead) & (width == 4 ? 0x07 : width == 3 ? 0x0F : 0x1F)
    for place in index + 1..<index + width { value = value << 6 | UInt32(bytes[place] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", width)
  }
}
