import Tensor

/// The head of a context's snapshot.
///
/// | bytes | content, little-endian |
/// |---|---|
/// | 0–7 | `RAKVSNAP` |
/// | 8–11 | version, 1 |
/// | 12–15 | element type of the cache: 0 F16, 1 F32, 2 Q8_0 |
/// | 16–31 | layers, key-value heads, key length, value length, 4 bytes each |
/// | 32–39 | positions |
/// | 40–55 | the model's fingerprint, low half first |
///
/// After it come the panels (``CacheLayout``) that hold the positions: of each block of 256, of each layer, of each head
/// the keys and then the values. The last panel's lanes beyond the last position are zero. A checksum of 16 bytes over
/// header and panels ends the snapshot.
struct SnapshotHeader: Equatable {
  static let byteCount = 56
  static let checksumByteCount = 16
  static let version = 1
  private static let magic = Array("RAKVSNAP".utf8)

  var layout: CacheLayout
  var layerCount: Int
  var positions: Int
  var fingerprint: ModelFingerprint

  var bytes: [UInt8] {
    var result = Self.magic
    func append<Value: FixedWidthInteger>(_ value: Value) {
      Swift.withUnsafeBytes(of: value.littleEndian) { result.append(contentsOf: $0) }
    }
    append(UInt32(Self.version))
    append(layout.element.rawValue)
    // A model's counts are far below 2^32.
    for count in [layerCount, layout.heads, layout.keyLength, layout.valueLength] { append(UInt32(clamping: count)) }
    append(UInt64(positions))
    append(fingerprint.low)
    append(fingerprint.high)
    return result
  }

  /// Reads the head of `bytes` and compares it with what a context has.
  ///
  /// - Returns: the number of positions, of which nothing but `0 ... Int.max` is known.
  static func positions(in bytes: UnsafeRawBufferPointer, for context: SnapshotHeader) throws(SnapshotError) -> Int {
    guard bytes.count >= magic.count, zip(bytes, magic).allSatisfy({ $0 == $1 }) else { throw .notASnapshot }
    guard bytes.count >= byteCount else { throw .byteCount(expected: byteCount, found: bytes.count) }
    // All offsets below are within the header.
    func word(_ offset: Int) -> Int {
      Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    func long(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard word(8) == version else { throw .unsupportedVersion(word(8), supported: version) }
    let found = ModelFingerprint(low: long(40), high: long(48))
    guard found == context.fingerprint else { throw .otherModel(expected: context.fingerprint, found: found) }
    let layout = context.layout
    for (what, offset, expected) in [
      ("cache element type", 12, Int(layout.element.rawValue)), ("number of layers", 16, context.layerCount),
      ("number of key-value heads", 20, layout.heads), ("key length", 24, layout.keyLength),
      ("value length", 28, layout.valueLength),
    ] where word(offset) != expected {
      throw .otherLayout(what: what, expected: expected, found: word(offset))
    }
    return Int(clamping: long(32))
  }
}
