import Tensor

/// Reads a file's header: magic, version, counts, metadata; tensor descriptions are in `HeaderParser+Tensors.swift`.
struct HeaderParser {
  struct Header {
    var version: Int
    var metadata: Metadata
    var tensors: [TensorInfo]
    var indices: [String: Int]
    var alignment: Int
  }

  /// Bounds on what a header may ask for, far above any real model. They keep the memory for a hostile file small.
  enum Limit {
    static let keys = 65_536
    static let tensors = 65_536
    static let nameByteCount = 65_535
    static let alignment = 1 << 24
    static let arrayDepth = 8
  }

  var reader: ByteReader

  init(_ storage: Storage) {
    reader = ByteReader(storage)
  }

  mutating func parse() throws(GGUFError) -> Header {
    let version = try parseVersion()
    guard let tensorCount = reader.readCount(), let keyCount = reader.readCount() else {
      throw Self.truncated(.header("header"))
    }
    try Self.requireCount(tensorCount, limit: Limit.tensors, "tensor count")
    try Self.requireCount(keyCount, limit: Limit.keys, "metadata count")
    var metadata = Metadata()
    for index in 0..<keyCount { try parseEntry(index, of: keyCount, into: &metadata) }
    let alignment = try Self.alignment(of: metadata)
    let tensors = try parseTensors(tensorCount, alignment: alignment)
    var indices: [String: Int] = [:]
    for (index, tensor) in tensors.enumerated() {
      guard indices.updateValue(index, forKey: tensor.name) == nil else {
        throw GGUFError(.invalidTensor, .tensor(tensor.name), reason: "the name occurs twice")
      }
    }
    return Header(version: version, metadata: metadata, tensors: tensors, indices: indices, alignment: alignment)
  }

  private mutating func parseVersion() throws(GGUFError) -> Int {
    guard reader.starts(with: "GGUF") else { throw FileSignature.error(for: reader) }
    guard reader.read(UInt32.self) != nil, let version = reader.read(UInt32.self) else {
      throw Self.truncated(.header("header"))
    }
    switch version {
    case 2, 3: return Int(version)
    case 1:
      throw GGUFError(
        .unsupportedVersion, reason: "GGUF version 1 is not supported", advice: "get the model in version 2 or 3")
    default:
      // A version is a small number; one that is small only when its bytes are swapped comes from a big-endian file.
      guard version.byteSwapped > 0xFFFF || version.byteSwapped == 0 else {
        throw GGUFError(
          .unsupportedVersion, reason: "the file is big-endian, which is not supported",
          advice: "get the little-endian file of this model")
      }
      throw GGUFError(
        .unsupportedVersion, reason: "GGUF version \(version) is not supported", advice: "supported are 2 and 3")
    }
  }

  private mutating func parseEntry(_ index: Int, of count: Int, into metadata: inout Metadata) throws(GGUFError) {
    let key = try parseName("metadata key \(index + 1) of \(count)", .invalidMetadata)
    guard let number = reader.read(UInt32.self) else { throw Self.truncated(.key(key)) }
    guard let type = MetadataType(rawValue: number) else {
      throw GGUFError(.invalidMetadata, .key(key), reason: "value type \(number) is unknown")
    }
    let value = try parseValue(type, key: key)
    guard metadata.add(key, value) else {
      throw GGUFError(.invalidMetadata, .key(key), reason: "the key occurs twice")
    }
  }

  private mutating func parseValue(_ type: MetadataType, key: String) throws(GGUFError) -> MetadataValue {
    switch type {
    case .string:
      guard let range = reader.skipString() else { throw Self.truncated(.key(key)) }
      return .string(MetadataString(storage: reader.storage, range: range))
    case .array:
      return .array(try parseArray(key: key, depth: 1))
    default:
      guard let width = type.byteCount, let range = reader.skip(width) else { throw Self.truncated(.key(key)) }
      if type == .bool { try requireBooleans(range, key: key) }
      return MetadataValue(type, storage: reader.storage, at: range.lowerBound)
    }
  }

  private mutating func parseArray(key: String, depth: Int) throws(GGUFError) -> MetadataArray {
    guard depth <= Limit.arrayDepth else {
      throw GGUFError(.invalidMetadata, .key(key), reason: "arrays are nested more than \(Limit.arrayDepth) deep")
    }
    guard let number = reader.read(UInt32.self), let count = reader.readCount() else {
      throw Self.truncated(.key(key))
    }
    guard let type = MetadataType(rawValue: number) else {
      throw GGUFError(.invalidMetadata, .key(key), reason: "array element type \(number) is unknown")
    }
    let items: MetadataArray.Items
    switch type {
    case .string:
      guard let strings = StringArray(&reader, count: count) else { throw Self.tooLong(count, type, key) }
      items = .strings(strings)
    case .array:
      // Every inner array has a header of 12 bytes, so a count that can't be true is refused before the first.
      guard count <= reader.remaining / 12 else { throw Self.tooLong(count, type, key) }
      var arrays: [MetadataArray] = []
      for _ in 0..<count { arrays.append(try parseArray(key: key, depth: depth + 1)) }
      items = .arrays(arrays)
    default:
      guard let width = type.byteCount, count <= reader.remaining / width, let range = reader.skip(count * width)
      else { throw Self.tooLong(count, type, key) }
      if type == .bool { try requireBooleans(range, key: key) }
      items = .fixed(range)
    }
    return MetadataArray(storage: reader.storage, items: items, elementType: type, count: count)
  }

  private func requireBooleans(_ range: Range<Int>, key: String) throws(GGUFError) {
    for offset in range {
      guard case .uint8(let byte) = MetadataValue(.uint8, storage: reader.storage, at: offset), byte > 1 else {
        continue
      }
      throw GGUFError(.invalidMetadata, .key(key), reason: "a bool is stored as \(byte), where only 0 and 1 are legal")
    }
  }

  private static func alignment(of metadata: Metadata) throws(GGUFError) -> Int {
    let key = "general.alignment"
    guard let alignment = try metadata.integer(key) else { return 32 }
    // The specification asks for a multiple of 8; readers in the field take powers of two only.
    guard alignment >= 8, alignment <= Limit.alignment, alignment & (alignment - 1) == 0 else {
      throw GGUFError(
        .invalidMetadata, .key(key), reason: "\(alignment) is no power of two from 8 to \(Limit.alignment)")
    }
    return alignment
  }

  // MARK: Shared with the tensor descriptions

  mutating func parseName(_ place: String, _ kind: GGUFError.Kind) throws(GGUFError) -> String {
    guard let count = reader.readCount() else { throw Self.truncated(.header(place)) }
    guard count > 0 else { throw GGUFError(kind, .header(place), reason: "the name is empty") }
    guard count <= Limit.nameByteCount else {
      throw GGUFError(
        kind, .header(place), reason: "a name of \(count) bytes, where \(Limit.nameByteCount) are the limit")
    }
    guard let range = reader.skip(count) else { throw Self.truncated(.header(place)) }
    guard let name = reader.text(range) else {
      throw GGUFError(kind, .header(place), reason: "the name is no valid UTF-8")
    }
    return name
  }

  private static func requireCount(_ count: Int, limit: Int, _ field: String) throws(GGUFError) {
    guard count <= limit else {
      throw GGUFError(.invalidHeader, .header(field), reason: "\(count) is above the limit of \(limit)")
    }
  }

  static func truncated(_ subject: GGUFError.Subject) -> GGUFError {
    GGUFError(
      .truncated, subject, reason: "the file ends in the middle of it",
      advice: "the download may be incomplete: get the file again")
  }

  private static func tooLong(_ count: Int, _ type: MetadataType, _ key: String) -> GGUFError {
    GGUFError(
      .truncated, .key(key), reason: "an array of \(count) items of type \(type) runs past the end of the file",
      advice: "the download may be incomplete: get the file again")
  }
}
