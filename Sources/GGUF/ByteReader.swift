import Tensor

/// A cursor over untrusted little-endian bytes: every read is checked against the end before it happens.
///
/// Invariant: `0 <= position <= storage.count`; all pointer reads in this file lie in `position ..< storage.count`.
struct ByteReader {
  let storage: Storage
  private(set) var position = 0

  init(_ storage: Storage) {
    self.storage = storage
  }

  /// Bytes from the cursor to the end.
  var remaining: Int { storage.count - position }

  /// The next integer, or `nil` at the end of the file.
  mutating func read<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type = Value.self) -> Value? {
    guard remaining >= MemoryLayout<Value>.size else { return nil }
    let value = storage.base.loadUnaligned(fromByteOffset: position, as: Value.self)
    position += MemoryLayout<Value>.size
    return Value(littleEndian: value)
  }

  /// The next 64-bit length or count, or `nil` at the end of the file. Values beyond `Int.max` come back as `Int.max`,
  /// which no later check lets pass.
  mutating func readCount() -> Int? {
    read(UInt64.self).map { Int(clamping: $0) }
  }

  /// The range of the next `count` bytes, which are passed over, or `nil` when there are fewer.
  mutating func skip(_ count: Int) -> Range<Int>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return position..<position + count
  }

  /// The range of the next length-prefixed string, which is passed over, or `nil` when it runs past the end.
  mutating func skipString() -> Range<Int>? {
    guard let count = readCount() else { return nil }
    return skip(count)
  }

  /// Whether the bytes at the start of the file are those of `text`.
  func starts(with text: StaticString) -> Bool {
    guard text.utf8CodeUnitCount <= storage.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy {
      storage.base.load(fromByteOffset: $0, as: UInt8.self) == text.utf8Start[$0]
    }
  }

  /// The text of `range` if it is valid UTF-8.
  func text(_ range: Range<Int>) -> String? {
    guard range.lowerBound >= 0, range.upperBound <= storage.count else { return nil }
    let bytes = UnsafeRawBufferPointer(start: storage.base + range.lowerBound, count: range.count)
    return String(validating: bytes, as: UTF8.self)
  }
}
