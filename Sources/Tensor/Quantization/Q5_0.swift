/// 32 elements in 22 bytes: `x = d (q - 16)`, 5.5 bits an element.
///
/// | bytes | content |
/// |---|---|
/// | 0–1 | `d`, binary16 |
/// | 2–5 | the fifth bits of `q`, that of element `i` in bit `i` |
/// | 6–21 | the lower bits: elements 0–15 in the low nibbles, 16–31 in the high ones |
///
/// Source: `block_q5_0` in ggml's `ggml-common.h`.
package enum Q5_0: QuantizedFormat {
  package static let type = ElementType.q5_0

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let d = bytes.half(0)
    // Without a loop over bits of bytes in memory, so that it becomes vector instructions.
    let fifth =
      UInt32(bytes.byte(2)) | UInt32(bytes.byte(3)) << 8 | UInt32(bytes.byte(4)) << 16
      | UInt32(bytes.byte(5)) << 24
    for half in 0..<2 {
      let shift = UInt8(half * 4)
      for index in 0..<16 {
        let low = UInt32(bytes.byte(6 + index) &>> shift & 0xF)
        let high = fifth &>> UInt32(half * 16 + index) & 1
        values[half * 16 + index] = d * Float(Int32(low | high << 4) - 16)
      }
    }
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    bytes.clear(22)
    // The extreme value gets the level -16, which has no positive counterpart.
    let d = bytes.setHalf(0, Quantizer.extreme(values, count: 32) / -16)
    for index in 0..<32 {
      let level = UInt8(Quantizer.level(values[index], by: d, in: -16...15) + 16)
      bytes.orByte(6 + index % 16, (level & 0xF) << (index < 16 ? 0 : 4))
      bytes.orByte(2 + index / 8, (level >> 4) << (index % 8))
    }
  }
}
