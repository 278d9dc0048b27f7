/// IEEE 754 binary16.
package enum F16: QuantizedFormat {
  package static let type = ElementType.f16

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    values[0] = bytes.half(0)
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: HalfFloat.half(values[0]).littleEndian, as: UInt16.self)
  }
}
