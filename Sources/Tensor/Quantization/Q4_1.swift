/// 32 elements in 20 bytes: `x = d q + m`, 5 bits an element.
///
/// | bytes | content |
/// |---|---|
/// | 0–1 | `d`, binary16 |
/// | 2–3 | `m`, binary16 |
/// | 4–19 | `q`: elements 0–15 in the low nibbles, 16–31 in the high ones |
///
/// Source: `block_q4_1` in ggml's `ggml-common.h`.
package enum Q4_1: QuantizedFormat {
  package static let type = ElementType.q4_1

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let (d, m) = (bytes.half(0), bytes.half(2))
    for index in 0..<16 {
      let pair = bytes.byte(4 + index)
      values[index] = d * Float(pair & 0xF) + m
      values[index + 16] = d * Float(pair >> 4) + m
    }
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    let (lowest, highest) = Quantizer.bounds(values, count: 32)
    let d = bytes.setHalf(0, (highest - lowest) / 15)
    let m = bytes.setHalf(2, lowest)
    for index in 0..<16 {
      let low = Quantizer.level(values[index] - m, by: d, in: 0...15)
      let high = Quantizer.level(values[index + 16] - m, by: d, in: 0...15)
      bytes.setByte(4 + index, UInt8(low | high << 4))
    }
  }
}
