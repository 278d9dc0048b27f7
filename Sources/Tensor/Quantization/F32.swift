/// Plain float32.
package enum F32: QuantizedFormat {
  package static let type = ElementType.f32

  package static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    values[0] = Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
  }

  package static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: values[0].bitPattern.littleEndian, as: UInt32.self)
  }
}
