import JSON

/// A decoder that has nothing to decode: it notes what it is asked for and answers with placeholders.
struct RecordingDecoder: Decoder {
  let deriver: SchemaDeriver
  let node: SchemaNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    node.becomeObject()
    return KeyedDecodingContainer(RecordingKeyedContainer(deriver: deriver, node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    node.becomeList()
    return RecordingListContainer(deriver: deriver, node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    RecordingValueContainer(deriver: deriver, node: node, codingPath: codingPath)
  }
}

/// Members by their keys.
private struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let deriver: SchemaDeriver
  let node: SchemaNode
  let codingPath: [any CodingKey]

  var allKeys: [Key] {
    node.noteAllKeys()
    return []
  }

  func contains(_ key: Key) -> Bool {
    node.makeOptional(key.stringValue)
    return true
  }

  func decodeNil(forKey key: Key) -> Bool {
    node.makeOptional(key.stringValue)
    return false
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let (schema, value) = try deriver.record(type, path: codingPath + [key])
    node.add(key.stringValue, .schema(schema), isRequired: true)
    return value
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    node.add(key.stringValue, .schema(try deriver.schema(of: type, path: codingPath + [key])), isRequired: false)
    return nil
  }

  // The compiler asks for the simple types one by one; each would otherwise go past the two above.
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(type, key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(type, key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(type, key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(type, key) }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optionalScalar(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optionalScalar(type, key) }

  private func scalar<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T { try decode(type, forKey: key) }

  private func optionalScalar<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
    try decodeIfPresent(type, forKey: key)
  }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedDecodingContainer<Inner> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { nested(key).unkeyedContainer() }

  func superDecoder() -> any Decoder { nested(RecordedKey(stringValue: "super")) }

  func superDecoder(forKey key: Key) -> any Decoder { nested(key) }

  private func nested(_ key: any CodingKey) -> RecordingDecoder {
    let inner = SchemaNode()
    node.add(key.stringValue, .node(inner), isRequired: true)
    return RecordingDecoder(deriver: deriver, node: inner, codingPath: codingPath + [key])
  }
}

/// The items of a list. Who looks for the end gets one item, which describes them all.
private struct RecordingListContainer: UnkeyedDecodingContainer {
  let deriver: SchemaDeriver
  let node: SchemaNode
  let codingPath: [any CodingKey]
  private static let limit = 64

  var count: Int? { nil }
  var currentIndex: Int { node.items.count }
  var isAtEnd: Bool {
    node.noteEndCheck()
    return currentIndex > 0
  }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard currentIndex < Self.limit else {
      throw SchemaDeriver.fault("it decodes a list without end", type, codingPath)
    }
    let (schema, value) = try deriver.record(type, path: codingPath + [RecordedKey.item])
    node.add(.schema(schema))
    return value
  }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedDecodingContainer<Inner> {
    nested().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { nested().unkeyedContainer() }

  func superDecoder() -> any Decoder { nested() }

  private func nested() -> RecordingDecoder {
    let inner = SchemaNode()
    node.add(.node(inner))
    return RecordingDecoder(deriver: deriver, node: inner, codingPath: codingPath + [RecordedKey.item])
  }
}

/// A value without parts.
private struct RecordingValueContainer: SingleValueDecodingContainer {
  let deriver: SchemaDeriver
  let node: SchemaNode
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let (schema, value) = try deriver.record(type, path: codingPath)
    node.become(schema)
    return value
  }
}
