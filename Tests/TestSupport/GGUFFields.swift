/// Where the fields of a GGUF file's header lie: a second, independent reading of the format, for valid files only.
///
/// Tests change fields one by one and look at what the reader makes of it.
package struct GGUFFields {
  package enum Kind: Sendable {
    case magic, version, tensorCount, keyCount
    case nameLength, nameByte, valueType, scalar, elementType, itemCount, stringLength
    case dimensionCount, dimension, tensorType, tensorOffset
  }

  package struct Field: Sendable {
    package let kind: Kind
    package let offset: Int
    package let byteCount: Int
  }

  package private(set) var fields: [Field] = []
  private let bytes: [UInt8]
  private var position = 0

  /// Bytes before the tensor data, without the padding.
  package var headerByteCount: Int { position }

  /// Reads the header of a valid file.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    _ = take(.magic, 4)
    _ = take(.version, 4)
    let tensorCount = take(.tensorCount, 8)
    for _ in 0..<take(.keyCount, 8) {
      takeString(.nameLength, .nameByte)
      takeValue(type: take(.valueType, 4))
    }
    for _ in 0..<tensorCount {
      takeString(.nameLength, .nameByte)
      for _ in 0..<take(.dimensionCount, 4) { _ = take(.dimension, 8) }
      _ = take(.tensorType, 4)
      _ = take(.tensorOffset, 8)
    }
  }

  /// The value of a field as an unsigned integer.
  package func value(of field: Field, in bytes: [UInt8]) -> UInt64 {
    bytes[field.offset..<field.offset + field.byteCount].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Overwrites a field.
  package func set(_ field: Field, to value: UInt64, in bytes: inout [UInt8]) {
    for index in 0..<field.byteCount {
      bytes[field.offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
    }
  }

  private mutating func take(_ kind: Kind, _ byteCount: Int) -> Int {
    let field = Field(kind: kind, offset: position, byteCount: byteCount)
    fields.append(field)
    position += byteCount
    return Int(truncatingIfNeeded: value(of: field, in: bytes))
  }

  private mutating func takeString(_ length: Kind, _ content: Kind?) {
    let count = take(length, 8)
    if let content, count > 0 {
      fields.append(Field(kind: content, offset: position, byteCount: 1))
      fields.append(Field(kind: content, offset: position + count - 1, byteCount: 1))
    }
    position += count
  }

  private mutating func takeValue(type: Int) {
    switch type {
    case 8: takeString(.stringLength, nil)
    case 9:
      let elementType = take(.elementType, 4)
      for _ in 0..<take(.itemCount, 8) { takeValue(type: elementType) }
    default: _ = take(.scalar, [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8][type])
    }
  }
}
