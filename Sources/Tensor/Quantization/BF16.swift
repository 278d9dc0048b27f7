/// bfloat16: the upper half of a float32.
package enum BF16: QuantizedFormat {
  package static let type = ElementType.bf16

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    values[0] = HalfFloat.float(brain: UInt16(littleEndian: bytes.loadUnaligned(as: UInt16.self)))
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: HalfFloat.brain(values[0]).littleEndian, as: UInt16.self)
  }
}
