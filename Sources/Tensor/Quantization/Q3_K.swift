/// 256 elements in 110 bytes: `x = (d (s - 32)) (q - 4)` in groups of 16, 3.4375 bits an element.
///
/// | bytes | content |
/// |---|---|
/// | 0–31 | third bits of `q`: that of element `32 k + l` in bit `k` of byte `l` |
/// | 32–95 | lower bits of `q`: byte `32 h + l` holds the elements `128 h + 32 k + l` for `k` = 0–3, lowest bits first |
/// | 96–103 | lower four bits of `s`: groups 0–7 in the low nibbles, 8–15 in the high ones |
/// | 104–107 | upper two bits of `s`: byte `i` holds the groups `i`, `i + 4`, `i + 8`, `i + 12`, lowest bits first |
/// | 108–109 | `d`, binary16 |
///
/// Source: `block_q3_K` in ggml's `ggml-common.h`.
package enum Q3_K: QuantizedFormat {
  package static let type = ElementType.q3_K

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let d = bytes.half(108)
    for group in 0..<16 {
      let low = bytes.byte(96 + group % 8) >> (group / 8 * 4) & 0xF
      let high = bytes.byte(104 + group % 4) >> (group / 4 * 2) & 3
      let scale = d * Float(Int(low | high << 4) - 32)
      // A group's elements are neighbours with the same shifts.
      let start = group * 16
      let (lowBits, highBits) = (bytes + levelOffset(start), bytes + start % 32)
      let (lowShift, highShift) = (UInt8(levelShift(start)), UInt8(start / 32))
      for index in 0..<16 {
        let level = lowBits.byte(index) &>> lowShift & 3 | (highBits.byte(index) &>> highShift & 1) << 2
        values[start + index] = scale * Float(Int32(level) - 4)
      }
    }
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    bytes.clear(110)
    // A group's extreme value gets the level -4, and the largest scale the level -32: neither has a counterpart.
    let scales = (0..<16).map { Quantizer.extreme(values + $0 * 16, count: 16) / -4 }
    let largest = scales.max { abs($0) < abs($1) } ?? 0
    let d = bytes.setHalf(108, largest / -32)
    for group in 0..<16 {
      let level = Quantizer.level(scales[group], by: d, in: -32...31)
      let stored = UInt8(level + 32)
      bytes.orByte(96 + group % 8, (stored & 0xF) << (group / 8 * 4))
      bytes.orByte(104 + group % 4, (stored >> 4) << (group / 4 * 2))
      for index in group * 16..<group * 16 + 16 {
        let level = UInt8(Quantizer.level(values[index], by: d * Float(level), in: -4...3) + 4)
        bytes.orByte(levelOffset(index), (level & 3) << levelShift(index))
        bytes.orByte(index % 32, (level >> 2) << (index / 32))
      }
    }
  }

  private static func levelOffset(_ index: Int) -> Int { 32 + index / 128 * 32 + index % 32 }
  private static func levelShift(_ index: Int) -> Int { index % 128 / 32 * 2 }
}
