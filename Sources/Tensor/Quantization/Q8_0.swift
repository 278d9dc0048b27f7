/// 32 elements in 34 bytes: `x = d q`, 8.5 bits an element.
///
/// | bytes | content |
/// |---|---|
/// | 0–1 | `d`, binary16 |
/// | 2–33 | `q`, signed |
///
/// Source: `block_q8_0` in ggml's `ggml-common.h`.
package enum Q8_0: QuantizedFormat {
  package static let type = ElementType.q8_0

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let d = bytes.half(0)
    for index in 0..<32 { values[index] = d * Float(bytes.signedByte(2 + index)) }
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    let d = bytes.setHalf(0, abs(Quantizer.extreme(values, count: 32)) / 127)
    for index in 0..<32 {
      bytes.setByte(2 + index, UInt8(bitPattern: Int8(Quantizer.level(values[index], by: d, in: -127...127))))
    }
  }
}
