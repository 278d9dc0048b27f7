import JSON

/// What a decoder was asked for at one place.
final class SchemaNode {
  private enum Shape {
    case nothing
    case value(JSONValue)
    case object
    case list
  }

  /// A part of an object or a list: described already, or a container that is still being asked.
  enum Part {
    case schema(JSONValue)
    case node(SchemaNode)
  }

  private var shape = Shape.nothing
  private var properties: [(key: String, part: Part, isRequired: Bool)] = []
  private(set) var items: [Part] = []
  private var asksForEnd = false
  /// Whether the keys that are there were asked for, which nobody can know while recording.
  private(set) var askedForAllKeys = false

  func becomeObject() { shape = .object }

  func becomeList() { shape = .list }

  /// A single value; the first that is asked for counts.
  func become(_ schema: JSONValue) {
    if case .nothing = shape { shape = .value(schema) }
  }

  /// A member; of several requests for one key the first describes it, and one that may find nothing makes it optional.
  func add(_ key: String, _ part: Part, isRequired: Bool) {
    if let place = properties.firstIndex(where: { $0.key == key }) {
      properties[place].isRequired = properties[place].isRequired && isRequired
    } else {
      properties.append((key, part, isRequired && !optional.contains(key)))
    }
  }

  /// A key whose presence was asked for: it isn't required.
  func makeOptional(_ key: String) {
    optional.insert(key)
    if let place = properties.firstIndex(where: { $0.key == key }) { properties[place].isRequired = false }
  }
  private var optional: Set<String> = []

  func add(_ item: Part) { items.append(item) }

  func noteEndCheck() { asksForEnd = true }

  func noteAllKeys() { askedForAllKeys = true }

  /// The schema that the requests make up.
  func schema<T>(_ type: T.Type, path: [any CodingKey]) throws -> JSONValue {
    switch shape {
    case .value(let schema): return schema
    case .list: return try list(type, path: path)
    case .nothing, .object:
      guard !askedForAllKeys || !properties.isEmpty else {
        throw SchemaDeriver.fault(
          "it looks for keys that aren't known; state the schema (SchemaDescribing.jsonSchema)", type, path)
      }
      return try object(type, path: path)
    }
  }

  private func object<T>(_ type: T.Type, path: [any CodingKey]) throws -> JSONValue {
    var members = JSONObject()
    for (key, part, _) in properties { members[key] = try part.schema(type, path: path) }
    var object: JSONObject = ["type": "object", "properties": .object(members)]
    let required = properties.filter(\.isRequired).map { JSONValue.string($0.key) }
    if !required.isEmpty { object["required"] = .array(required) }
    if members.isEmpty { object["additionalProperties"] = .boolean(false) }
    return .object(object)
  }

  private func list<T>(_ type: T.Type, path: [any CodingKey]) throws -> JSONValue {
    let schemas = try items.map { try $0.schema(type, path: path) }
    guard let first = schemas.first else { return ["type": "array", "maxItems": 0] }
    guard schemas.allSatisfy({ $0 == first }) else {
      throw SchemaDeriver.fault(
        "it decodes a list of items of different types; state the schema (SchemaDescribing.jsonSchema)", type, path)
    }
    var list: JSONObject = ["type": "array", "items": first]
    // Whoever never looks for the end wants exactly the items that were taken.
    if !asksForEnd {
      list["minItems"] = .integer(schemas.count)
      list["maxItems"] = .integer(schemas.count)
    }
    return .object(list)
  }
}

extension SchemaNode.Part {
  func schema<T>(_ type: T.Type, path: [any CodingKey]) throws -> JSONValue {
    switch self {
    case .schema(let schema): schema
    case .node(let node): try node.schema(type, path: path)
    }
  }
}

/// A coding key of any name.
struct RecordedKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let item = RecordedKey(name: "items", index: 0)

  private init(name: String, index: Int?) {
    stringValue = name
    intValue = index
  }

  init(stringValue: String) { self.init(name: stringValue, index: nil) }
  init(intValue: Int) { self.init(name: "\(intValue)", index: intValue) }
}
