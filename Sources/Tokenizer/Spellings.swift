import GGUF

/// The spellings of a vocabulary, viewed where they lie in the file.
///
/// A flat copy of the file's table of offsets: the loops over hundreds of thousands of spellings need each in a
/// nanosecond.
struct Spellings: @unchecked Sendable {  // the pointer leads to bytes that never change
  /// Keeps the bytes alive.
  private let owner: StringArray
  private let base: UnsafeRawPointer
  private let ranges: [(start: UInt32, length: UInt32)]
  /// The length of the longest spelling, in bytes.
  let longest: Int

  /// The number of ids.
  var count: Int { ranges.count }

  /// Views strings, of which there must be at least one; nil when they don't lie one after the other within 4 GB.
  init?(_ strings: StringArray) {
    guard strings.count > 0, let base = strings[0].baseAddress else { return nil }
    var ranges: [(start: UInt32, length: UInt32)] = []
    ranges.reserveCapacity(strings.count)
    for index in 0..<strings.count {
      let bytes = strings[index]
      guard let address = bytes.baseAddress, let start = UInt32(exactly: address - base),
        let length = UInt32(exactly: bytes.count)
      else { return nil }
      ranges.append((start, length))
    }
    longest = Int(ranges.reduce(0) { max($0, $1.length) })
    owner = strings
    self.base = base
    self.ranges = ranges
  }

  /// The bytes of a spelling, valid while the vocabulary is alive.
  @inline(__always)
  subscript(id: Int) -> UnsafeRawBufferPointer {
    let range = ranges[id]
    return bytes(range.start, range.length)
  }

  /// Where a spelling lies.
  @inline(__always)
  func range(of id: Int) -> (start: UInt32, length: UInt32) {
    ranges[id]
  }

  /// The bytes at a place that ``range(of:)`` gave.
  @inline(__always)
  func bytes(_ start: UInt32, _ length: UInt32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + Int(start), count: Int(length))
  }

  /// A spelling as text, with U+FFFD for bytes that are not UTF-8.
  func text(of id: Int) -> String {
    String(decoding: self[id], as: UTF8.self)
  }

  /// The byte that a token spelled `<0x41>` stands for.
  func byteToken(_ id: Int) -> UInt8? {
    let text = text(of: id)
    guard text.utf8.count == 6, text.hasPrefix("<0x"), text.hasSuffix(">") else { return nil }
    return UInt8(text.dropFirst(3).dropLast(), radix: 16)
  }
}
