/// 256 elements in 210 bytes: `x = (d s) (q - 32)` in groups of 16, 6.5625 bits an element.
///
/// | bytes | content |
/// |---|---|
/// | 0–127 | lower four bits of `q`: byte `64 h + l` holds the elements `128 h + l` (low) and `128 h + 64 + l` (high) |
/// | 128–191 | upper two: byte `32 h + l` holds the elements `128 h + 32 k + l` for `k` = 0–3, lowest bits first |
/// | 192–207 | `s`, signed, a byte a group |
/// | 208–209 | `d`, binary16 |
///
/// Source: `block_q6_K` in ggml's `ggml-common.h`.
package enum Q6_K: QuantizedFormat {
  package static let type = ElementType.q6_K

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let d = bytes.half(208)
    for group in 0..<16 {
      let scale = d * Float(bytes.signedByte(192 + group))
      // A group's elements are neighbours with the same shifts.
      let start = group * 16
      let (low, high) = (bytes + lowOffset(start), bytes + highOffset(start))
      let (lowShift, highShift) = (UInt8(lowShift(start)), UInt8(highShift(start)))
      for index in 0..<16 {
        let level = low.byte(index) &>> lowShift & 0xF | (high.byte(index) &>> highShift & 3) << 4
        values[start + index] = scale * Float(Int32(level) - 32)
      }
    }
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    bytes.clear(210)
    // A group's extreme value gets the level -32, which has no positive counterpart; so does the largest scale with -128.
    let scales = (0..<16).map { Quantizer.extreme(values + $0 * 16, count: 16) / -32 }
    let largest = scales.max { abs($0) < abs($1) } ?? 0
    let d = bytes.setHalf(208, largest / -128)
    for group in 0..<16 {
      let scale = Quantizer.level(scales[group], by: d, in: -128...127)
      bytes.setByte(192 + group, UInt8(bitPattern: Int8(scale)))
      for index in group * 16..<group * 16 + 16 {
        let level = UInt8(Quantizer.level(values[index], by: d * Float(scale), in: -32...31) + 32)
        bytes.orByte(lowOffset(index), (level & 0xF) << lowShift(index))
        bytes.orByte(highOffset(index), (level >> 4) << highShift(index))
      }
    }
  }

  private static func lowOffset(_ index: Int) -> Int { index / 128 * 64 + index % 64 }
  private static func lowShift(_ index: Int) -> Int { index % 128 / 64 * 4 }
  private static func highOffset(_ index: Int) -> Int { 128 + index / 128 * 32 + index % 32 }
  private static func highShift(_ index: Int) -> Int { index % 128 / 32 * 2 }
}
