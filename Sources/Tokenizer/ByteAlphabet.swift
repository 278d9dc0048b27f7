/// The letters by which byte-level vocabularies spell the 256 bytes.
///
/// GPT-2 gave each byte a printable letter: printable Latin-1 stands for itself, the other 68 bytes, in order, are
/// U+0100, U+0101 and so on; a space is `Ġ` (U+0120).
enum ByteAlphabet {
  /// The scalar value that spells each byte.
  static let letters: [UInt16] = {
    var letters: [UInt16] = []
    var next: UInt16 = 0x100
    for byte in 0...255 as ClosedRange<UInt16> {
      switch byte {
      case 0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF: letters.append(byte)
      default:
        letters.append(next)
        next += 1
      }
    }
    return letters
  }()

  /// The byte that each scalar value below 0x144 spells; 0xFFFF for those that spell none.
  private static let bytes: [UInt16] = {
    var bytes = [UInt16](repeating: .max, count: 0x144)
    for (byte, letter) in letters.enumerated() { bytes[Int(letter)] = UInt16(byte) }
    return bytes
  }()

  /// The UTF-8 of each byte's letter: the first byte, and the second or 0 when there is one only.
  static let spelling: [(first: UInt8, second: UInt8)] = letters.map { letter in
    letter < 0x80
      ? (UInt8(letter), 0) : (0xC0 | UInt8(letter >> 6), 0x80 | UInt8(letter & 0x3F))
  }

  /// Appends the bytes that `text` spells; what isn't spelled in the alphabet is kept as it is.
  static func decode(_ text: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    var index = 0
    while index < text.count {
      let first = text[index]
      var letter = Int(first)
      var length = 1
      if first >= 0xC2, first <= 0xC5, index + 1 < text.count, text[index + 1] & 0xC0 == 0x80 {
        letter = Int(first & 0x1F) << 6 | Int(text[index + 1] & 0x3F)
        length = 2
      }
      let isLetter = (first < 0x80 || length == 2) && letter < bytes.count && bytes[letter] != .max
      if isLetter {
        output.append(UInt8(truncatingIfNeeded: bytes[letter]))
      } else {
        output.append(contentsOf: text[index..<index + length])
      }
      index += length
    }
  }
}
