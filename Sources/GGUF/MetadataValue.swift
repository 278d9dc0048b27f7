import Tensor

/// A metadata value: one of the thirteen types of the GGUF specification.
package enum MetadataValue: Sendable {
  case uint8(UInt8)
  case int8(Int8)
  case uint16(UInt16)
  case int16(Int16)
  case uint32(UInt32)
  case int32(Int32)
  case float32(Float)
  case bool(Bool)
  case string(MetadataString)
  case array(MetadataArray)
  case uint64(UInt64)
  case int64(Int64)
  case float64(Double)

  package var type: MetadataType {
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
    }
  }

  /// The value as an integer, whatever its width, or `nil` when it is none or doesn't fit.
  package var integer: Int? {
    switch self {
    case .uint8(let value): Int(value)
    case .int8(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint32(let value): Int(exactly: value)
    case .int32(let value): Int(value)
    case .uint64(let value): Int(exactly: value)
    case .int64(let value): Int(exactly: value)
    case .float32, .float64, .bool, .string, .array: nil
    }
  }

  /// The value as a floating-point number; integers count as such.
  package var float: Double? {
    switch self {
    case .float32(let value): Double(value)
    case .float64(let value): value
    default: integer.map(Double.init)
    }
  }

  /// Reads a value of fixed width. The caller has checked that its bytes lie inside the storage.
  init(_ type: MetadataType, storage: Storage, at offset: Int) {
    precondition(offset >= 0 && (type.byteCount ?? .max) <= storage.count - offset, "value outside of the file")
    // In bounds by the line above; the storage is alive as an argument.
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type = Value.self) -> Value {
      Value(littleEndian: storage.base.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
    switch type {
    case .uint8: self = .uint8(load())
    case .int8: self = .int8(load())
    case .uint16: self = .uint16(load())
    case .int16: self = .int16(load())
    case .uint32: self = .uint32(load())
    case .int32: self = .int32(load())
    case .uint64: self = .uint64(load())
    case .int64: self = .int64(load())
    case .float32: self = .float32(Float(bitPattern: load()))
    case .float64: self = .float64(Double(bitPattern: load()))
    case .bool: self = .bool(load(UInt8.self) != 0)
    case .string, .array: preconditionFailure("no fixed width")
    }
  }
}

extension MetadataValue: CustomStringConvertible {
  /// A short form for listings: long strings and arrays are cut.
  package var description: String {
    switch self {
    case .bool(let value): return "\(value)"
    case .float32(let value): return "\(value)"
    case .float64(let value): return "\(value)"
    case .uint64(let value): return "\(value)"
    case .string(let value): return value.preview
    case .array(let array):
      let shown = (0..<min(array.count, 4)).map { array[$0].description }
      return "[\(shown.joined(separator: ", "))\(array.count > 4 ? ", … \(array.count) items" : "")]"
    default: return integer.map(String.init) ?? ""
    }
  }
}

extension MetadataString {
  /// The beginning of the string, fit for one line.
  fileprivate var preview: String {
    withBytes { GGUFError.printable(String(decoding: $0.prefix(400), as: UTF8.self)) }
  }
}
