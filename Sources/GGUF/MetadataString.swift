import Tensor

/// A string of the file, viewed where it lies.
///
/// The bytes ought to be UTF-8 but nobody has checked that; ``text`` repairs what isn't.
package struct MetadataString: Sendable {
  let storage: Storage
  /// Invariant: lies inside `storage` (checked by whoever makes the view).
  let range: Range<Int>

  package var byteCount: Int { range.count }

  /// The string, with U+FFFD for bytes that are no UTF-8.
  package var text: String {
    withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes, which are valid only during the call.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // `range` lies inside the storage, and `self` keeps the storage alive for the call.
    try body(UnsafeRawBufferPointer(start: storage.base + range.lowerBound, count: range.count))
  }
}
