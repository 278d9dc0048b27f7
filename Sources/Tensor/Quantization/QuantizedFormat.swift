/// A block format: how a fixed number of neighbouring elements of a row share a fixed number of bytes.
///
/// One file a format holds its layout and nothing else. These are the readable definitions: the oracle that the fast
/// kernels are tested against, and the fallback where no fast kernel exists. Plain types are formats with blocks of one.
///
/// Conforming types may assume, and callers must guarantee, that `bytes` points to `type.blockByteCount` bytes and
/// `values` to `type.blockLength` floats. Neither needs to be aligned beyond what its own element type asks for.
package protocol QuantizedFormat {
  static var type: ElementType { get }

  /// Decodes the block at `bytes`, exactly as the format defines it: every product rounded to float32.
  static func decodeBlock(_ bytes: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>)

  /// Encodes a block of finite values. The encoders are simple: scales come from the extremes, and no search is made for
  /// better ones.
  static func encodeBlock(_ values: UnsafePointer<Float>, into bytes: UnsafeMutableRawPointer)
}

extension QuantizedFormat {
  /// Decodes `count` elements, a whole number of blocks.
  static func decode(_ bytes: UnsafeRawPointer, count: Int, into values: UnsafeMutablePointer<Float>) {
    let (length, byteCount) = (type.blockLength, type.blockByteCount)
    // The callers of this protocol guarantee room for `count` elements on both sides.
    for block in 0..<count / length { decodeBlock(bytes + block * byteCount, into: values + block * length) }
  }

  /// Encodes `count` elements, a whole number of blocks.
  static func encode(_ values: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutableRawPointer) {
    let (length, byteCount) = (type.blockLength, type.blockByteCount)
    for block in 0..<count / length { encodeBlock(values + block * length, into: bytes + block * byteCount) }
  }

  /// The dot product of `count` encoded elements with float activations, accumulated in double precision.
  static func dot(_ bytes: UnsafeRawPointer, _ activations: UnsafePointer<Float>, count: Int) -> Float {
    let (length, byteCount) = (type.blockLength, type.blockByteCount)
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: length) { decoded in
      guard let values = decoded.baseAddress else { return 0 }
      var sum = 0.0
      for block in 0..<count / length {
        decodeBlock(bytes + block * byteCount, into: values)
        for index in 0..<length { sum += Double(values[index]) * Double(activations[block * length + index]) }
      }
      return Float(sum)
    }
  }
}
