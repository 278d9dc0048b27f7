import Tensor

/// Saving the keys and values of a text, so that it can go on later without its prefill.
///
/// ```swift
/// try context.writeSnapshot { try file.write(contentsOf: $0) }
/// // later, in a context of the same model and cache element type:
/// try context.restoreSnapshot(bytes)
/// ```
///
/// A snapshot holds neither the token ids nor logits: whoever saves one keeps the ids beside it, and runs at least one
/// token (the last, after a rewind) to get logits again.
extension InferenceContext {
  /// Bytes of a snapshot of the first `positions` positions.
  package func snapshotByteCount(of positions: Int) -> Int {
    SnapshotHeader.byteCount + cache.panelByteCount(of: positions) + SnapshotHeader.checksumByteCount
  }

  /// Hands the snapshot of the first `positions` positions (all, unless said otherwise) to `sink`, piece by piece.
  ///
  /// - Parameter positions: at most ``count``.
  /// - Complexity: O(bytes), with no copy but that of the last panels.
  package func writeSnapshot<Failure: Error>(
    of positions: Int? = nil, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let positions = positions ?? count
    precondition(positions >= 0 && positions <= count, "a snapshot of \(positions) of \(count) positions")
    var hash = ContentHash()
    func put(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
      hash.update(bytes)
      try sink(bytes)
    }
    try Self.withBytes(of: header(positions: positions).bytes, put)
    try cache.withPanels(of: positions, put)
    try Self.withBytes(of: [hash.low.littleEndian, hash.high.littleEndian], sink)
  }

  /// Replaces what is in the cache by a snapshot's positions, which become ``count``.
  ///
  /// - Throws: ``SnapshotError``; the context is then as it was. Everything is checked before anything is copied.
  /// - Complexity: O(bytes): one pass for the checksum, one for the copy.
  package func restoreSnapshot(_ bytes: UnsafeRawBufferPointer) throws(SnapshotError) {
    let positions = try SnapshotHeader.positions(in: bytes, for: header(positions: 0))
    guard positions <= contextLength else { throw .tooLong(positions: positions, limit: contextLength) }
    let expected = snapshotByteCount(of: positions)
    guard bytes.count == expected else { throw .byteCount(expected: expected, found: bytes.count) }
    try verify(bytes, positions: positions)
    do { try cache.makeRoom(positions) } catch { throw .outOfMemory(byteCount: expected) }
    logitsWereLost()
    let panels = bytes[SnapshotHeader.byteCount..<bytes.count - SnapshotHeader.checksumByteCount]
    cache.restore(positions, from: UnsafeRawBufferPointer(rebasing: panels))
  }

  /// Compares the checksum, which is over the same pieces that were written.
  private func verify(_ bytes: UnsafeRawBufferPointer, positions: Int) throws(SnapshotError) {
    var hash = ContentHash()
    var offset = 0
    // The pieces' lengths add up to the byte count less the checksum, which the caller has compared.
    func take(_ count: Int) {
      hash.update(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
      offset += count
    }
    take(SnapshotHeader.byteCount)
    for run in cache.panelRuns(of: positions) { take(run.byteCount) }
    let low = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    guard hash.low == low, hash.high == high else { throw .damaged }
  }

  private func header(positions: Int) -> SnapshotHeader {
    SnapshotHeader(
      layout: cache.layout, layerCount: cache.layerCount, positions: positions, fingerprint: model.fingerprint)
  }

  /// Calls `body` with an array's bytes; `withUnsafeBytes` of the standard library has no typed throws yet.
  private static func withBytes<Failure: Error>(
    of array: [some BitwiseCopyable], _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    array.withUnsafeBytes { bytes in
      do throws(Failure) { try body(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
