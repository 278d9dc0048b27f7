/// 256 elements in 176 bytes: `x = (d s) q - dmin m` in groups of 32, 5.5 bits an element.
///
/// | bytes | content |
/// |---|---|
/// | 0–1 | `d`, binary16 |
/// | 2–3 | `dmin`, binary16 |
/// | 4–15 | `s` and `m` of the eight groups, six bits each (``PackedScales``) |
/// | 16–47 | fifth bits of `q`: that of element `l` of group `g` in bit `g` of byte `l` |
/// | 48–175 | lower bits: byte `32 p + l` holds element `l` of group `2 p` in the low nibble, of `2 p + 1` in the high one |
///
/// Source: `block_q5_K` in ggml's `ggml-common.h`.
package enum Q5_K: QuantizedFormat {
  package static let type = ElementType.q5_K

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let (d, dmin) = (bytes.half(0), bytes.half(2))
    for group in 0..<8 {
      let packed = PackedScales.decode(bytes + 4, group)
      let scale = d * Float(packed.scale)
      let minimum = dmin * Float(packed.minimum)
      let (levels, shift) = (bytes + 48 + group / 2 * 32, UInt8(group % 2 * 4))
      for index in 0..<32 {
        let low = levels.byte(index) &>> shift & 0xF
        let high = bytes.byte(16 + index) &>> UInt8(group) & 1
        values[group * 32 + index] = scale * Float(low | high << 4) - minimum
      }
    }
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    bytes.clear(176)
    let groups = (0..<8).map { AffineGroup(values + $0 * 32, count: 32, levels: 31) }
    let d = bytes.setHalf(0, (groups.map(\.scale).max() ?? 0) / 63)
    let dmin = bytes.setHalf(2, (groups.map(\.minimum).max() ?? 0) / 63)
    for (number, group) in groups.enumerated() {
      let scale = Quantizer.level(group.scale, by: d, in: 0...63)
      let minimum = Quantizer.level(group.minimum, by: dmin, in: 0...63)
      PackedScales.encode(bytes + 4, number, scale: UInt8(scale), minimum: UInt8(minimum))
      for index in 0..<32 {
        let shifted = values[number * 32 + index] + dmin * Float(minimum)
        let level = UInt8(Quantizer.level(shifted, by: d * Float(scale), in: 0...31))
        bytes.orByte(48 + number / 2 * 32 + index, (level & 0xF) << (number % 2 * 4))
        bytes.orByte(16 + index, (level >> 4) << number)
      }
    }
  }
}
