extension GGUFWriter {
  /// A metadata value to be written.
  package indirect enum Value {
    case uint8(UInt8)
    case int8(Int8)
    case uint16(UInt16)
    case int16(Int16)
    case uint32(UInt32)
    case int32(Int32)
    case float32(Float)
    case bool(Bool)
    case string(String)
    /// Items that are all of `type`.
    case array(MetadataType, [Value])
    case uint64(UInt64)
    case int64(Int64)
    case float64(Double)
    /// A value of another file, copied as it lies there.
    case copy(MetadataValue)

    package static func strings(_ items: [String]) -> Value { .array(.string, items.map(Value.string)) }
    package static func int32s(_ items: [Int32]) -> Value { .array(.int32, items.map(Value.int32)) }
    package static func float32s(_ items: [Float]) -> Value { .array(.float32, items.map(Value.float32)) }

    var type: MetadataType {
      switch self {
      case .uint8: .uint8
      case .int8: .int8
      case .uint16: .uint16
      case .int16: .int16
      case .uint32: .uint32
      case .int32: .int32
      case .float32: .float32
      case .bool: .bool
      case .string: .string
      case .array: .array
      case .uint64: .uint64
      case .int64: .int64
      case .float64: .float64
      case .copy(let value): value.type
      }
    }

    /// Appends the value as it is written in the file, without its type.
    func append(to bytes: inout [UInt8]) {
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
      case .string(let text):
        bytes.append(littleEndian: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
      case .array(let type, let items):
        precondition(items.allSatisfy { $0.type == type }, "the items of an array are of one type")
        bytes.append(littleEndian: type.rawValue)
        bytes.append(littleEndian: UInt64(items.count))
        for item in items { item.append(to: &bytes) }
      case .copy(let value):
        value.append(to: &bytes)
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
