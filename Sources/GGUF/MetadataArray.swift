import Tensor

/// An array of the file's metadata. Numbers and strings are viewed where they lie.
package struct MetadataArray: Sendable {
  /// How the items are held.
  enum Items: Sendable {
    /// Values of a fixed width; the range lies inside the storage and holds exactly `count` of them.
    case fixed(Range<Int>)
    case strings(StringArray)
    case arrays([MetadataArray])
  }

  let storage: Storage
  let items: Items
  package let elementType: MetadataType
  package let count: Int

  /// The strings, or `nil` for an array of something else.
  package var strings: StringArray? {
    if case .strings(let strings) = items { strings } else { nil }
  }

  /// The arrays in this array, or `nil` for an array of something else.
  package var arrays: [MetadataArray]? {
    if case .arrays(let arrays) = items { arrays } else { nil }
  }

  /// The item at `index`.
  package subscript(index: Int) -> MetadataValue {
    precondition(index >= 0 && index < count, "item \(index) of \(count)")
    switch items {
    case .strings(let strings):
      return .string(MetadataString(storage: storage, range: strings.range(of: index)))
    case .arrays(let arrays):
      return .array(arrays[index])
    case .fixed(let range):
      let width = range.count / count
      return MetadataValue(elementType, storage: storage, at: range.lowerBound + index * width)
    }
  }

  /// The items as integers, or `nil` when they are of another type or one doesn't fit in an `Int`.
  package var integers: [Int]? {
    guard elementType.isInteger, case .fixed(let range) = items else { return nil }
    return withExtendedLifetime(storage) { () -> [Int]? in
      // The range lies inside the storage and holds `count` values of the element type.
      let bytes = UnsafeRawBufferPointer(start: storage.base + range.lowerBound, count: range.count)
      switch elementType {
      case .uint8: return Self.load(UInt8.self, bytes)
      case .int8: return Self.load(Int8.self, bytes)
      case .uint16: return Self.load(UInt16.self, bytes)
      case .int16: return Self.load(Int16.self, bytes)
      case .uint32: return Self.load(UInt32.self, bytes)
      case .int32: return Self.load(Int32.self, bytes)
      case .uint64: return Self.load(UInt64.self, bytes)
      case .int64: return Self.load(Int64.self, bytes)
      case .float32, .float64, .bool, .string, .array: return nil
      }
    }
  }

  /// The items as floating-point numbers, or `nil` when they are of another type.
  package var floats: [Double]? {
    guard elementType == .float32 || elementType == .float64 else { return nil }
    return (0..<count).compactMap { self[$0].float }
  }

  private static func load<Value: FixedWidthInteger & BitwiseCopyable>(
    _: Value.Type, _ bytes: UnsafeRawBufferPointer
  ) -> [Int]? {
    let width = MemoryLayout<Value>.size
    var result: [Int] = []
    result.reserveCapacity(bytes.count / width)
    for offset in stride(from: 0, to: bytes.count, by: width) {
      let stored = Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
      guard let value = Int(exactly: stored) else { return nil }
      result.append(value)
    }
    return result
  }
}
