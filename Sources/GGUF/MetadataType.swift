/// The thirteen kinds of metadata values. The raw values are the numbers that the GGUF specification gives them.
package enum MetadataType: UInt32, CaseIterable, Sendable {
  case uint8 = 0
  case int8 = 1
  case uint16 = 2
  case int16 = 3
  case uint32 = 4
  case int32 = 5
  case float32 = 6
  case bool = 7
  case string = 8
  case array = 9
  case uint64 = 10
  case int64 = 11
  case float64 = 12

  /// Bytes of one value, or `nil` for strings and arrays, whose length is in the file.
  package var byteCount: Int? {
    switch self {
    case .uint8, .int8, .bool: 1
    case .uint16, .int16: 2
    case .uint32, .int32, .float32: 4
    case .uint64, .int64, .float64: 8
    case .string, .array: nil
    }
  }

  package var isInteger: Bool {
    switch self {
    case .uint8, .int8, .uint16, .int16, .uint32, .int32, .uint64, .int64: true
    case .float32, .float64, .bool, .string, .array: false
    }
  }
}
