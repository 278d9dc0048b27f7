extension GGUFWriter {
  /// A metadata value to be written.
  package indirect enum Value {
    /// A number or truth value; or any value of another file, copied as it lies there.
    case value(MetadataValue)
    case string(String)
    /// Items that are all of `type`.
    case array(MetadataType, [Value])

    package static func uint32(_ value: UInt32) -> Value { .value(.uint32(value)) }
    package static func int32(_ value: Int32) -> Value { .value(.int32(value)) }
    package static func uint64(_ value: UInt64) -> Value { .value(.uint64(value)) }
    package static func float32(_ value: Float) -> Value { .value(.float32(value)) }
    package static func bool(_ value: Bool) -> Value { .value(.bool(value)) }
    package static func strings(_ items: [String]) -> Value { .array(.string, items.map(Value.string)) }
    package static func int32s(_ items: [Int32]) -> Value { .array(.int32, items.map(Value.int32)) }
    package static func float32s(_ items: [Float]) -> Value { .array(.float32, items.map(Value.float32)) }

    var type: MetadataType {
      switch self {
      case .value(let value): value.type
      case .string: .string
      case .array: .array
      }
    }

    /// Appends the value as it is written in the file, without its type.
    func append(to bytes: inout [UInt8]) {
      switch self {
      case .value(let value):
        value.append(to: &bytes)
      case .string(let text):
        bytes.append(littleEndian: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
      case .array(let type, let items):
        precondition(items.allSatisfy { $0.type == type }, "the items of an array are of one type")
        bytes.append(littleEndian: type.rawValue)
        bytes.append(littleEndian: UInt64(items.count))
        for item in items { item.append(to: &bytes) }
      }
    }
  }
}

extension MetadataValue {
  /// Appends the value as it is written in a file, without its type.
  fileprivate func append(to bytes: inout [UInt8]) {
    switch self {
    case .uint8(let value): bytes.append(littleEndian: value)
    case .int8(let value): bytes.append(littleEndian: value)
    case .uint16(let value): bytes.append(littleEndian: value)
    case .int16(let value): bytes.append(littleEndian: value)
    case .uint32(let value): bytes.append(littleEndian: value)
    case .int32(let value): bytes.append(littleEndian: value)
    case .uint64(let value): bytes.append(littleEndian: value)
    case .int64(let value): bytes.append(littleEndian: value)
    case .float32(let value): bytes.append(littleEndian: value.bitPattern)
    case .float64(let value): bytes.append(littleEndian: value.bitPattern)
    case .bool(let value): bytes.append(value ? 1 : 0)
    case .string(let string):
      bytes.append(littleEndian: UInt64(string.byteCount))
      string.withBytes { bytes.append(contentsOf: $0) }
    case .array(let array):
      bytes.append(littleEndian: array.elementType.rawValue)
      bytes.append(littleEndian: UInt64(array.count))
      for index in 0..<array.count { array[index].append(to: &bytes) }
    }
  }
}

extension [UInt8] {
  mutating func append<Value: FixedWidthInteger>(littleEndian value: Value) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
