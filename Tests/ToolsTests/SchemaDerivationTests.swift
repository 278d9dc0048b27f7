import Foundation
import Grammar
import JSON
import Testing
import Tools

@Suite("Schemas of Swift types")
struct SchemaDerivationTests {
  enum Unit: String, CaseIterable, Codable { case celsius, fahrenheit }
  enum Level: Int, CaseIterable, Codable {
    case low = 1
    case high = 10
  }

  struct Trip: Codable, Equatable {
    struct Stay: Codable, Equatable {
      let hotel: String
      let nights: UInt8
    }
    let city: String
    let days: Int?
    let distance: Double
    let isReturn: Bool
    let unit: Unit
    let levels: [Level]
    let stay: Stay
    let extras: [String: Double]?
    enum CodingKeys: String, CodingKey {
      case city, days
      case distance = "distance_km"
      case isReturn = "is_return"
      case unit, levels, stay, extras
    }
  }

  private func schema(_ type: (some Decodable).Type) throws -> String { try JSONSchema(describing: type).value.spaced }

  @Test("optionals, keys, enumerations, nesting, lists and dictionaries")
  func members() throws {
    let expected = """
      {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, \
      "distance_km": {"type": "number"}, "is_return": {"type": "boolean"}, \
      "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}, \
      "levels": {"type": "array", "items": {"type": "integer", "enum": [1, 10]}}, \
      "stay": {"type": "object", "properties": {"hotel": {"type": "string"}, \
      "nights": {"type": "integer", "minimum": 0, "maximum": 255}}, "required": ["hotel", "nights"]}, \
      "extras": {"type": "object", "additionalProperties": {"type": "number"}}}, \
      "required": ["city", "distance_km", "is_return", "unit", "levels", "stay"]}
      """
    #expect(try schema(Trip.self) == expected)
  }

  struct Moments: Codable, Equatable {
    let date: Date
    let url: URL
    let id: UUID
    let data: Data
    let price: Decimal
    let tags: Set<String>
  }

  @Test("types of Foundation have formats")
  func foundation() throws {
    let value = try JSONSchema(describing: Moments.self).value["properties"]
    #expect(value?["date"]?.spaced == #"{"type": "string", "format": "date-time"}"#)
    #expect(value?["url"]?["format"] == "uri")
    #expect(value?["id"]?["format"] == "uuid")
    #expect(value?["data"]?["type"] == "string")
    #expect(value?["price"]?.spaced == #"{"type": "number"}"#)
    #expect(value?["tags"]?.spaced == #"{"type": "array", "items": {"type": "string"}}"#)
  }

  struct Node: Codable, Equatable {
    let name: String
    let children: [Node]
  }
  struct Forest: Codable, Equatable {
    let first: Node
    let others: [Node]
  }
  final class Endless: Decodable { let next: Endless }

  @Test("recursive types refer to themselves")
  func recursion() throws {
    #expect(
      try schema(Node.self)
        == ##"{"type": "object", "properties": {"name": {"type": "string"}, "children": {"type": "array", "##
        + ##""items": {"$ref": "#"}}}, "required": ["name", "children"]}"##)
    let forest = try JSONSchema(describing: Forest.self).value
    #expect(forest["properties"]?["first"] == ["$ref": "#/$defs/Node"])
    #expect(forest["$defs"]?["Node"]?["properties"]?["children"]?["items"] == ["$ref": "#/$defs/Node"])
    #expect(fault(Endless.self)?.reason.contains("contains itself") == true)
  }

  struct Described: SchemaDescribing {
    let city: String
    let days: Int?
    static let descriptions = ["city": "City name", "days": "1 to 7"]
  }
  struct Mistaken: SchemaDescribing {
    let city: String
    static let descriptions = ["town": "City name"]
  }
  struct Stated: SchemaDescribing {
    let text: String
    static var jsonSchema: JSONSchema? { JSONSchema(["type": "string", "enum": ["a", "b"]]) }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      guard !text.isEmpty else { throw CancellationError() }
    }
  }
  struct Holder: Decodable { let stated: Stated }

  @Test("descriptions and stated schemas")
  func descriptions() throws {
    #expect(try JSONSchema(describing: Described.self).value["properties"]?["city"]?["description"] == "City name")
    #expect(fault(Mistaken.self)?.reason.contains("\"town\"") == true)
    #expect(try JSONSchema(describing: Holder.self).value["properties"]?["stated"]?["enum"] == ["a", "b"])
  }

  enum Unlisted: String, Decodable { case a, b }
  enum Associated: Decodable { case a(Int), b(String) }
  enum Plain: CaseIterable, Decodable { case a, b }
  struct Unruly: Decodable {
    let inner: Inner
    struct Inner: Decodable {
      init(from decoder: any Decoder) throws { throw CancellationError() }
    }
  }
  struct Demanding: Decodable {
    init(from decoder: any Decoder) throws {
      let value = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .count)
      guard value > 0 else { throw CancellationError() }
    }
    enum Key: String, CodingKey { case count }
  }

  private func fault(_ type: (some Decodable).Type) -> SchemaDerivationError? {
    do throws(SchemaDerivationError) {
      let schema = try JSONSchema(describing: type)
      Issue.record("described as \(schema.value)")
      return nil
    } catch {
      return error
    }
  }

  @Test("types that can't be followed are named, with what to do")
  func refusals() throws {
    #expect(fault(Unlisted.self)?.reason.contains("CaseIterable") == true)
    #expect(fault(Associated.self)?.reason.contains("raw values") == true)
    #expect(fault(Plain.self)?.reason.contains("raw values") == true)
    #expect(fault([Int: Int].self)?.reason.contains("String keys") == true)
    let unruly = fault(Unruly.self)
    #expect(unruly?.type == "Inner")
    #expect(unruly?.pointer == "/properties/inner")
    // A type that refuses 0 and "" is tried with other placeholders.
    #expect(
      try schema(Demanding.self)
        == #"{"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}"#)
  }

  struct Nothing: Codable, Equatable {}
  struct Pair: Decodable {
    let x: Double
    let y: Double
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      x = try list.decode(Double.self)
      y = try list.decode(Double.self)
    }
  }
  class Base: Decodable { var id = 0 }
  struct Nested: Decodable {
    let x: Int?
    init(from decoder: any Decoder) throws {
      let outer = try decoder.container(keyedBy: RawKey.self)
      let inner = try outer.nestedContainer(keyedBy: RawKey.self, forKey: RawKey(stringValue: "inner"))
      let key = RawKey(stringValue: "x")
      x = inner.contains(key) ? try inner.decode(Int.self, forKey: key) : nil
    }
  }
  struct RawKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test("hand-written decoding")
  func handWritten() throws {
    #expect(try schema(Nothing.self) == #"{"type": "object", "properties": {}, "additionalProperties": false}"#)
    #expect(try schema(Pair.self) == #"{"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}"#)
    #expect(
      try schema(Nested.self)
        == #"{"type": "object", "properties": {"inner": {"type": "object", "properties": {"x": {"type": "integer"}}}}, "#
        + #""required": ["inner"]}"#)
    #expect(try schema(Int?.self) == #"{"type": ["integer", "null"]}"#)
    #expect(try schema([Unit?].self).contains("anyOf"))
    #expect(try schema(Base.self).contains("id"))
  }

  @Test("every derived schema compiles, and takes what its type encodes to")
  func grammars() throws {
    let moments = Moments(
      date: Date(timeIntervalSince1970: 1_775_217_600.5), url: try #require(URL(string: "https://a.b/c?d=1")),
      id: UUID(), data: Data([1, 2, 3]), price: 1.5, tags: ["a"])
    let trip = Trip(
      city: "Zürich", days: nil, distance: 1.5, isReturn: true, unit: .celsius, levels: [.low],
      stay: .init(hotel: "H", nights: 3), extras: ["breakfast": 12])
    let node = Node(name: "a", children: [Node(name: "b", children: [])])
    try check(moments)
    try check(trip)
    try check(node)
    try check(Forest(first: node, others: [node]))
    try check(Nothing())
  }

  private func check<T: Codable & Equatable>(_ value: T) throws {
    let schema = try JSONSchema(describing: T.self)
    let encoded = try ToolValue(encoding: value)
    #expect(try encoded.decode(T.self) == value)
    var options = GrammarOptions.toolCalls
    options.keyOrder = .any
    let bytes = Vocabulary(tokens: (0...255).map { [UInt8($0)] }, controls: [:], endTokens: [])
    var matcher = Matcher(try Grammar(.json(schema: schema.value), options: options), vocabulary: bytes)
    #expect(matcher.accept(bytes: encoded.json.spaced.utf8) && matcher.isComplete, "\(encoded.json.spaced)")
  }
}
