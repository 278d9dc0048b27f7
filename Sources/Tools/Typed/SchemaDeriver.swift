import Foundation
import JSON

/// Finds the schema of a type by decoding it from nothing; see `JSONSchema.init(describing:)`.
///
/// One deriver serves one derivation. Types that are being described form a stack: one that is met again inside itself
/// becomes a reference into `$defs`.
final class SchemaDeriver {
  /// What numbers, texts and truth values are while recording: types that refuse the first set are tried with the next.
  struct Placeholders {
    let text: String
    let number: Int
    let truth: Bool

    static let all = [
      Placeholders(text: "", number: 0, truth: false), Placeholders(text: "1", number: 1, truth: true),
    ]
  }

  let placeholders: Placeholders
  private var open: [ObjectIdentifier] = []
  private var names: [ObjectIdentifier: String] = [:]
  private var definitions = JSONObject()

  private static let depthLimit = 32
  private static let caseLimit = 1000

  private init(_ placeholders: Placeholders) {
    self.placeholders = placeholders
  }

  /// The schema of `type`.
  static func schema<T: Decodable>(of type: T.Type) throws(SchemaDerivationError) -> JSONValue {
    var first: SchemaDerivationError?
    for placeholders in Placeholders.all {
      do {
        return try SchemaDeriver(placeholders).document(type)
      } catch {
        first = first ?? fault(error, in: type)
      }
    }
    throw first ?? SchemaDerivationError(type: "\(type)", pointer: "", reason: "it can't be described")
  }

  private func document<T: Decodable>(_ type: T.Type) throws -> JSONValue {
    let schema = try schema(of: type, path: [])
    guard !definitions.isEmpty, case .object(var root) = schema else { return schema }
    root["$defs"] = .object(definitions)
    return .object(root)
  }

  /// The schema of a type; of one that is being described already, a reference to it.
  func schema<T: Decodable>(of type: T.Type, path: [any CodingKey]) throws -> JSONValue {
    let id = ObjectIdentifier(type)
    if let own = (type as? any SchemaDescribing.Type)?.jsonSchema { return own.value }
    guard open.contains(id) else { return try record(type, path: path).schema }
    if open.first == id { return ["$ref": "#"] }
    return ["$ref": .string("#/$defs/\(name(of: type))")]
  }

  /// The schema of a type, and a value of it to go on with.
  func record<T: Decodable>(_ type: T.Type, path: [any CodingKey]) throws -> (schema: JSONValue, value: T) {
    if let own = (type as? any SchemaDescribing.Type)?.jsonSchema {
      return (own.value, try Self.example(of: own.value, type, path: path))
    }
    if let leaf = leaf(type) { return leaf }
    if let container = type as? any SchemaContainer.Type, let value = container.placeholder as? T {
      return (try container.schema(deriver: self, path: path), value)
    }
    if let cases = try cases(of: type, path: path) { return cases }
    return try decoded(type, path: path)
  }

  /// A type that decodes itself.
  private func decoded<T: Decodable>(_ type: T.Type, path: [any CodingKey]) throws -> (schema: JSONValue, value: T) {
    let id = ObjectIdentifier(type)
    guard !open.contains(id) else {
      throw Self.fault("it contains itself without an optional or a list between, so it has no end", type, path)
    }
    guard open.count < Self.depthLimit else { throw Self.fault("it is nested too deeply", type, path) }
    open.append(id)
    defer { open.removeLast() }
    let node = SchemaNode()
    let value: T
    do {
      value = try T(from: RecordingDecoder(deriver: self, node: node, codingPath: path))
    } catch let error as SchemaDerivationError {
      throw error
    } catch {
      throw Self.fault(Self.advice(for: type, node, error), type, path)
    }
    var schema = try node.schema(type, path: path)
    if let described = type as? any SchemaDescribing.Type {
      schema = try Self.add(described.descriptions, to: schema, type, path)
    }
    // Something inside refers to this type: it becomes a definition, unless it is the document itself.
    guard open.count > 1, let name = names[id] else { return (schema, value) }
    definitions[name] = schema
    return (["$ref": .string("#/$defs/\(name)")], value)
  }

  private static func add<T>(
    _ descriptions: [String: String], to schema: JSONValue, _ type: T.Type, _ path: [any CodingKey]
  ) throws -> JSONValue {
    guard !descriptions.isEmpty, case .object(var object) = schema else { return schema }
    var properties = object["properties"]?.objectValue ?? JSONObject()
    for key in descriptions.keys.sorted() {
      guard case .object(var property)? = properties[key] else {
        let known = properties.keys.joined(separator: ", ")
        throw fault("descriptions speak of \"\(key)\", which it doesn't decode; its keys are: \(known)", type, path)
      }
      property["description"] = descriptions[key].map { .string($0) }
      properties[key] = .object(property)
    }
    object["properties"] = .object(properties)
    return .object(object)
  }

  /// A name in `$defs` for a type: its own, reduced to what needs no escaping in a reference.
  private func name<T>(of type: T.Type) -> String {
    if let name = names[ObjectIdentifier(type)] { return name }
    let plain = String("\(type)".map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    var name = plain
    var number = 1
    while names.values.contains(name) {
      number += 1
      name = "\(plain)_\(number)"
    }
    names[ObjectIdentifier(type)] = name
    return name
  }
}

extension SchemaDeriver {
  /// An enumeration that lists its cases and has raw values.
  private func cases<T: Decodable>(of type: T.Type, path: [any CodingKey]) throws -> (schema: JSONValue, value: T)? {
    guard let listing = type as? any CaseIterable.Type, type is any RawRepresentable.Type else { return nil }
    let all = Self.all(listing)
    guard let first = all.first as? T, all.count <= Self.caseLimit else {
      throw Self.fault("it has \(all.count) cases; 1 to \(Self.caseLimit) can be listed", type, path)
    }
    var values: [JSONValue] = []
    for item in all {
      guard let item = item as? any RawRepresentable, let value = Self.rawValue(of: item) else {
        throw Self.fault("only raw values that are strings or whole numbers can be listed", type, path)
      }
      values.append(value)
    }
    let kind = values.allSatisfy { $0.stringValue != nil } ? "string" : "integer"
    return (["type": .string(kind), "enum": .array(values)], first)
  }

  private static func all<C: CaseIterable>(_ type: C.Type) -> [Any] { type.allCases.prefix(caseLimit + 1).map { $0 } }

  private static func rawValue<R: RawRepresentable>(of value: R) -> JSONValue? {
    if let text = value.rawValue as? String { return .string(text) }
    guard let number = value.rawValue as? any FixedWidthInteger else { return nil }
    return Int(exactly: number).map { .integer($0) }
  }

  /// A value of a type that states its schema itself, where one is needed to go on.
  private static func example<T: Decodable>(
    of schema: JSONValue, _ type: T.Type, path: [any CodingKey]
  ) throws -> T {
    do {
      return try ToolValue(example(of: schema, depth: 0)).decode(type)
    } catch {
      throw fault("its jsonSchema and its init(from:) don't agree: \(error)", type, path)
    }
  }

  /// The least that satisfies a plain schema.
  private static func example(of schema: JSONValue, depth: Int) -> JSONValue {
    if let first = schema["enum"]?[0] ?? schema["const"] ?? schema["examples"]?[0] { return first }
    guard depth < depthLimit else { return .null }
    switch schema["type"]?.stringValue {
    case "string": return .string("")
    case "integer", "number": return schema["minimum"] ?? 0
    case "boolean": return .boolean(false)
    case "array": return .array([])
    case "object":
      var object = JSONObject()
      for case .string(let key) in schema["required"]?.arrayValue ?? [] {
        object[key] = example(of: schema["properties"]?[key] ?? .null, depth: depth + 1)
      }
      return .object(object)
    default: return .null
    }
  }

  /// What to do about a type whose `init(from:)` gave up.
  private static func advice<T>(for type: T.Type, _ node: SchemaNode, _ error: any Error) -> String {
    if type is any CaseIterable.Type || node.askedForAllKeys {
      return "it decodes from keys that can't be listed; give an enumeration raw values and make it CaseIterable, or "
        + "state the schema (SchemaDescribing.jsonSchema)"
    }
    if type is any RawRepresentable.Type {
      return "its raw values are not known; make it CaseIterable"
    }
    return "its init(from:) refuses placeholder values (\(DecodingFault.text(of: error))); state the schema "
      + "(SchemaDescribing.jsonSchema)"
  }

  static func fault<T>(_ reason: String, _ type: T.Type, _ path: [any CodingKey]) -> SchemaDerivationError {
    SchemaDerivationError(type: "\(type)", pointer: pointer(path), reason: reason)
  }

  private static func fault<T>(_ error: any Error, in type: T.Type) -> SchemaDerivationError {
    error as? SchemaDerivationError
      ?? SchemaDerivationError(type: "\(type)", pointer: "", reason: DecodingFault.text(of: error))
  }

  /// A path of coding keys as a JSON pointer into the schema.
  private static func pointer(_ path: [any CodingKey]) -> String {
    path.map { key in
      if key.intValue != nil { return "/items" }
      let name = key.stringValue.replacing("~", with: "~0").replacing("/", with: "~1")
      return "/properties/\(name)"
    }.joined()
  }
}
