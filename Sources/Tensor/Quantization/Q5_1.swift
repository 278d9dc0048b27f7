/// 32 elements in 24 bytes: `x = d q + m`, 6 bits an element.
///
/// | bytes | content |
/// |---|---|
/// | 0–1 | `d`, binary16 |
/// | 2–3 | `m`, binary16 |
/// | 4–7 | the fifth bits of `q`, that of element `i` in bit `i` |
/// | 8–23 | the lower bits: elements 0–15 in the low nibbles, 16–31 in the high ones |
///
/// Source: `block_q5_1` in ggml's `ggml-common.h`.
package enum Q5_1: QuantizedFormat {
  package static let type = ElementType.q5_1

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let (d, m) = (bytes.half(0), bytes.half(2))
    // Without a loop over bits of bytes in memory, so that it becomes vector instructions.
    let fifth =
      UInt32(bytes.byte(4)) | UInt32(bytes.byte(5)) << 8 | UInt32(bytes.byte(6)) << 16
      | UInt32(bytes.byte(7)) << 24
    for half in 0..<2 {
      let shift = UInt8(half * 4)
      for index in 0..<16 {
        let low = UInt32(bytes.byte(8 + index) &>> shift & 0xF)
        let high = fifth &>> UInt32(half * 16 + index) & 1
        values[half * 16 + index] = d * Float(low | high << 4) + m
      }
    }
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    bytes.clear(24)
    let (lowest, highest) = Quantizer.bounds(values, count: 32)
    let d = bytes.setHalf(0, (highest - lowest) / 31)
    let m = bytes.setHalf(2, lowest)
    for index in 0..<32 {
      let level = UInt8(Quantizer.level(values[index] - m, by: d, in: 0...31))
      bytes.orByte(8 + index % 16, (level & 0xF) << (index < 16 ? 0 : 4))
      bytes.orByte(4 + index / 8, (level >> 4) << (index % 8))
    }
  }
}
