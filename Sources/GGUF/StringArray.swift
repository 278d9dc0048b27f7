import Tensor

/// An array of strings of the file, viewed where it lies: a table of offsets, and no copy of a single string.
///
/// A vocabulary of 150,000 strings takes a few milliseconds and 600 kB.
///
/// ```swift
/// if let tokens = try file.metadata.strings("tokenizer.ggml.tokens") {
///   for index in 0..<tokens.count { print(tokens.string(at: index)) }
/// }
/// ```
package struct StringArray: Sendable {
  let storage: Storage
  /// Where the array's items begin in `storage`.
  let start: Int
  /// Offsets of the items' length fields from `start`, and the end of the last item behind them.
  ///
  /// Invariant: rising by at least 8 from item to item, and `start + offsets.last` lies inside the storage. The lengths
  /// in the file aren't read again, so a file that changes later can't lead out of bounds.
  private let offsets: [UInt32]

  package var count: Int { offsets.count - 1 }

  /// The bytes of the string at `index`, without their length. Valid while the array, its file, or another view of the
  /// same file is alive.
  ///
  /// - Complexity: O(1), nothing is allocated.
  package subscript(index: Int) -> UnsafeRawBufferPointer {
    let range = self.range(of: index)
    return UnsafeRawBufferPointer(start: storage.base + range.lowerBound, count: range.count)
  }

  /// The string at `index`, with U+FFFD for bytes that are no UTF-8.
  package func string(at index: Int) -> String {
    withExtendedLifetime(storage) { String(decoding: self[index], as: UTF8.self) }
  }

  /// A copy of the bytes of the string at `index`.
  package func bytes(at index: Int) -> [UInt8] {
    withExtendedLifetime(storage) { [UInt8](self[index]) }
  }

  /// Where the bytes of the string at `index` lie in the storage.
  func range(of index: Int) -> Range<Int> {
    start + Int(offsets[index]) + Self.lengthByteCount..<start + Int(offsets[index + 1])
  }

  private static let lengthByteCount = 8

  /// Reads the offsets of `count` strings, leaving the reader behind the last one.
  ///
  /// - Returns: `nil` when a string runs past the end of the file or the array is larger than 4 GB.
  init?(_ reader: inout ByteReader, count: Int) {
    // Every string has a length field, so an honest count needs that many bytes at least: nothing is reserved for a lie.
    guard count <= reader.remaining / Self.lengthByteCount else { return nil }
    let start = reader.position
    var isWhole = true
    let offsets = [UInt32](unsafeUninitializedCapacity: count + 1) { table, initialized in
      table[0] = 0
      initialized = 1
      while initialized <= count {
        guard reader.skipString() != nil, let offset = UInt32(exactly: reader.position - start) else {
          isWhole = false
          return
        }
        table[initialized] = offset
        initialized += 1
      }
    }
    guard isWhole else { return nil }
    self.storage = reader.storage
    self.start = start
    self.offsets = offsets
  }
}
