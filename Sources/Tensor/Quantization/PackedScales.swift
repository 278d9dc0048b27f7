/// The twelve bytes in which Q4_K and Q5_K keep eight scales and eight minimums of six bits.
///
/// | byte | content |
/// |---|---|
/// | 0–3 | scales 0–3 in the low six bits; the upper two bits of scales 4–7 above them |
/// | 4–7 | minimums 0–3, and the upper two bits of minimums 4–7, likewise |
/// | 8–11 | the lower four bits of scales 4–7 (low nibbles) and of minimums 4–7 (high nibbles) |
enum PackedScales {
  static func decode(_ bytes: UnsafeRawPointer, _ group: Int) -> (scale: UInt8, minimum: UInt8) {
    guard group >= 4 else { return (bytes.byte(group) & 0x3F, bytes.byte(group + 4) & 0x3F) }
    let low = bytes.byte(group + 4)
    return (low & 0xF | (bytes.byte(group - 4) >> 6) << 4, low >> 4 | (bytes.byte(group) >> 6) << 4)
  }

  /// Adds a group's pair to twelve bytes that began as zeros.
  static func encode(_ bytes: UnsafeMutableRawPointer, _ group: Int, scale: UInt8, minimum: UInt8) {
    if group < 4 {
      bytes.orByte(group, scale)
      bytes.orByte(group + 4, minimum)
    } else {
      bytes.orByte(group + 4, scale & 0xF | minimum << 4)
      bytes.orByte(group - 4, (scale >> 4) << 6)
      bytes.orByte(group, (minimum >> 4) << 6)
    }
  }
}
