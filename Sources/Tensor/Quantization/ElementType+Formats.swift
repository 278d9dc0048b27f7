extension ElementType {
  /// Decodes `count` elements at `bytes` to float32, exactly as the format defines them.
  ///
  /// `count` must be a whole number of blocks, `bytes` point to as many encoded elements, and `values` to room for them.
  package func decode(_ bytes: UnsafeRawPointer, count: Int, into values: UnsafeMutablePointer<Float>) {
    // A switch rather than a metatype in a variable, so that every case is compiled for its format.
    switch self {
    case .f32: F32.decode(bytes, count: count, into: values)
    case .f16: F16.decode(bytes, count: count, into: values)
    case .bf16: BF16.decode(bytes, count: count, into: values)
    case .q4_0: Q4_0.decode(bytes, count: count, into: values)
    case .q4_1: Q4_1.decode(bytes, count: count, into: values)
    case .q5_0: Q5_0.decode(bytes, count: count, into: values)
    case .q5_1: Q5_1.decode(bytes, count: count, into: values)
    case .q8_0: Q8_0.decode(bytes, count: count, into: values)
    case .q2_K: Q2_K.decode(bytes, count: count, into: values)
    case .q3_K: Q3_K.decode(bytes, count: count, into: values)
    case .q4_K: Q4_K.decode(bytes, count: count, into: values)
    case .q5_K: Q5_K.decode(bytes, count: count, into: values)
    case .q6_K: Q6_K.decode(bytes, count: count, into: values)
    }
  }

  /// Encodes `count` finite floats; the same rules as for ``decode(_:count:into:)``.
  package func encode(_ values: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutableRawPointer) {
    switch self {
    case .f32: F32.encode(values, count: count, into: bytes)
    case .f16: F16.encode(values, count: count, into: bytes)
    case .bf16: BF16.encode(values, count: count, into: bytes)
    case .q4_0: Q4_0.encode(values, count: count, into: bytes)
    case .q4_1: Q4_1.encode(values, count: count, into: bytes)
    case .q5_0: Q5_0.encode(values, count: count, into: bytes)
    case .q5_1: Q5_1.encode(values, count: count, into: bytes)
    case .q8_0: Q8_0.encode(values, count: count, into: bytes)
    case .q2_K: Q2_K.encode(values, count: count, into: bytes)
    case .q3_K: Q3_K.encode(values, count: count, into: bytes)
    case .q4_K: Q4_K.encode(values, count: count, into: bytes)
    case .q5_K: Q5_K.encode(values, count: count, into: bytes)
    case .q6_K: Q6_K.encode(values, count: count, into: bytes)
    }
  }

  /// The dot product of `count` encoded elements with float activations: slow, readable, and accumulated in double
  /// precision. The oracle for the fast kernels.
  package func dot(_ bytes: UnsafeRawPointer, _ activations: UnsafePointer<Float>, count: Int) -> Float {
    switch self {
    case .f32: F32.dot(bytes, activations, count: count)
    case .f16: F16.dot(bytes, activations, count: count)
    case .bf16: BF16.dot(bytes, activations, count: count)
    case .q4_0: Q4_0.dot(bytes, activations, count: count)
    case .q4_1: Q4_1.dot(bytes, activations, count: count)
    case .q5_0: Q5_0.dot(bytes, activations, count: count)
    case .q5_1: Q5_1.dot(bytes, activations, count: count)
    case .q8_0: Q8_0.dot(bytes, activations, count: count)
    case .q2_K: Q2_K.dot(bytes, activations, count: count)
    case .q3_K: Q3_K.dot(bytes, activations, count: count)
    case .q4_K: Q4_K.dot(bytes, activations, count: count)
    case .q5_K: Q5_K.dot(bytes, activations, count: count)
    case .q6_K: Q6_K.dot(bytes, activations, count: count)
    }
  }

  /// The bytes that `values` take when encoded, or `nil` when they are no whole number of blocks.
  package func encoded(_ values: [Float]) -> [UInt8]? {
    guard let byteCount = byteCount(elements: values.count) else { return nil }
    return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, initialized in
      values.withUnsafeBufferPointer { source in
        // Both buffers have exactly the sizes that `encode` asks for.
        guard let from = source.baseAddress, let to = bytes.baseAddress else { return }
        encode(from, count: source.count, into: UnsafeMutableRawPointer(to))
      }
      initialized = byteCount
    }
  }
}
