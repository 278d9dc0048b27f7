/// Little helpers for reading and writing the fields of a block. Offsets are in bytes from the block's start; the caller
/// keeps them inside the block (see ``QuantizedFormat``).
extension UnsafeRawPointer {
  func byte(_ offset: Int) -> UInt8 { load(fromByteOffset: offset, as: UInt8.self) }

  func signedByte(_ offset: Int) -> Int8 { load(fromByteOffset: offset, as: Int8.self) }

  /// The little-endian binary16 number at `offset`.
  func half(_ offset: Int) -> Float {
    HalfFloat.float(UInt16(byte(offset)) | UInt16(byte(offset + 1)) << 8)
  }
}

extension UnsafeMutableRawPointer {
  func setByte(_ offset: Int, _ value: UInt8) { storeBytes(of: value, toByteOffset: offset, as: UInt8.self) }

  func orByte(_ offset: Int, _ value: UInt8) {
    setByte(offset, load(fromByteOffset: offset, as: UInt8.self) | value)
  }

  /// Stores the nearest finite binary16 number and returns its value, with which the encoder goes on.
  @discardableResult
  func setHalf(_ offset: Int, _ value: Float) -> Float {
    let half = HalfFloat.half(min(max(value, -65504), 65504))
    setByte(offset, UInt8(truncatingIfNeeded: half))
    setByte(offset + 1, UInt8(truncatingIfNeeded: half >> 8))
    return HalfFloat.float(half)
  }

  func clear(_ byteCount: Int) {
    for offset in 0..<byteCount { setByte(offset, 0) }
  }
}

/// What the encoders share.
enum Quantizer {
  /// `value` divided by `scale`, rounded to the nearest integer in `range`. A scale of zero, or NaN, gives the integer
  /// nearest to zero.
  static func level(_ value: Float, by scale: Float, in range: ClosedRange<Int>) -> Int {
    let ratio = (value / scale).rounded()
    guard ratio.isFinite else { return min(max(0, range.lowerBound), range.upperBound) }
    return Int(min(max(ratio, Float(range.lowerBound)), Float(range.upperBound)))
  }

  /// The value of largest magnitude, with its sign.
  static func extreme(_ values: UnsafePointer<Float>, count: Int) -> Float {
    var result: Float = 0
    for index in 0..<count where abs(values[index]) > abs(result) { result = values[index] }
    return result
  }

  /// Smallest and largest value.
  static func bounds(_ values: UnsafePointer<Float>, count: Int) -> (lowest: Float, highest: Float) {
    var (lowest, highest) = (values[0], values[0])
    for index in 1..<count {
      lowest = min(lowest, values[index])
      highest = max(highest, values[index])
    }
    return (lowest, highest)
  }
}
