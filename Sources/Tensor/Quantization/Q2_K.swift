/// 256 elements in 84 bytes: `x = (d s) q - dmin m` in groups of 16, 2.625 bits an element.
///
/// | bytes | content |
/// |---|---|
/// | 0–15 | a byte a group: `s` in the low nibble, `m` in the high one |
/// | 16–79 | `q`, 2 bits each: byte `32 h + l` holds the elements `128 h + 32 k + l` for `k` = 0–3, lowest bits first |
/// | 80–81 | `d`, binary16 |
/// | 82–83 | `dmin`, binary16 |
///
/// Source: `block_q2_K` in ggml's `ggml-common.h`.
package enum Q2_K: QuantizedFormat {
  package static let type = ElementType.q2_K

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let (d, dmin) = (bytes.half(80), bytes.half(82))
    for group in 0..<16 {
      let packed = bytes.byte(group)
      let scale = d * Float(packed & 0xF)
      let minimum = dmin * Float(packed >> 4)
      // A group's elements are neighbours with the same shift.
      let start = group * 16
      let (levels, shift) = (bytes + levelOffset(start), UInt8(levelShift(start)))
      for index in 0..<16 { values[start + index] = scale * Float(levels.byte(index) &>> shift & 3) - minimum }
    }
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    bytes.clear(84)
    let groups = (0..<16).map { AffineGroup(values + $0 * 16, count: 16, levels: 3) }
    let d = bytes.setHalf(80, (groups.map(\.scale).max() ?? 0) / 15)
    let dmin = bytes.setHalf(82, (groups.map(\.minimum).max() ?? 0) / 15)
    for (number, group) in groups.enumerated() {
      let scale = Quantizer.level(group.scale, by: d, in: 0...15)
      let minimum = Quantizer.level(group.minimum, by: dmin, in: 0...15)
      bytes.setByte(number, UInt8(scale | minimum << 4))
      for index in number * 16..<number * 16 + 16 {
        let level = Quantizer.level(values[index] + dmin * Float(minimum), by: d * Float(scale), in: 0...3)
        bytes.orByte(levelOffset(index), UInt8(level) << levelShift(index))
      }
    }
  }

  private static func levelOffset(_ index: Int) -> Int { 16 + index / 128 * 32 + index % 32 }
  private static func levelShift(_ index: Int) -> Int { index % 128 / 32 * 2 }
}
