/// 32 elements in 18 bytes: `x = d (q - 8)`, 4.5 bits an element.
///
/// | bytes | content |
/// |---|---|
/// | 0–1 | `d`, binary16 |
/// | 2–17 | `q`: elements 0–15 in the low nibbles, 16–31 in the high ones |
///
/// Source: `block_q4_0` in ggml's `ggml-common.h`.
package enum Q4_0: QuantizedFormat {
  package static let type = ElementType.q4_0

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let d = bytes.half(0)
    for index in 0..<16 {
      let pair = bytes.byte(2 + index)
      values[index] = d * Float(Int(pair & 0xF) - 8)
      values[index + 16] = d * Float(Int(pair >> 4) - 8)
    }
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    // The extreme value gets the level -8, which has no positive counterpart.
    let d = bytes.setHalf(0, Quantizer.extreme(values, count: 32) / -8)
    for index in 0..<16 {
      let low = Quantizer.level(values[index], by: d, in: -8...7) + 8
      let high = Quantizer.level(values[index + 16], by: d, in: -8...7) + 8
      bytes.setByte(2 + index, UInt8(low | high << 4))
    }
  }
}
