import Foundation
import JSON

extension SchemaDeriver {
  /// The schema of a type that has no parts, with a value of it.
  func leaf<T: Decodable>(_ type: T.Type) -> (schema: JSONValue, value: T)? {
    guard let (schema, value) = known(type), let value = value as? T else { return nil }
    return (schema, value)
  }

  private func known(_ type: any Decodable.Type) -> (JSONValue, Any)? {
    switch type {
    case is String.Type: (["type": "string"], placeholders.text)
    case is Bool.Type: (["type": "boolean"], placeholders.truth)
    case is Double.Type: (["type": "number"], Double(placeholders.number))
    case is Float.Type: (["type": "number"], Float(placeholders.number))
    case is Decimal.Type: (["type": "number"], Decimal(placeholders.number))
    case is Date.Type: (["type": "string", "format": "date-time"], Date(timeIntervalSince1970: 0))
    case is UUID.Type: (["type": "string", "format": "uuid"], UUID())
    case is URL.Type: (["type": "string", "format": "uri"], URL(filePath: "/"))
    case is Data.Type: (["type": "string", "pattern": .string(Self.base64)], Data())
    case let integer as any FixedWidthInteger.Type: whole(integer)
    default: nil
    }
  }

  /// A whole number, with the bounds of the narrow types; those of `Int` say nothing that a model would need.
  private func whole<I: FixedWidthInteger>(_ type: I.Type) -> (JSONValue, Any)? {
    var schema: JSONObject = ["type": "integer"]
    if let least = Int(exactly: I.min), least > .min { schema["minimum"] = .integer(least) }
    if let most = Int(exactly: I.max), most < .max { schema["maximum"] = .integer(most) }
    return (.object(schema), I(placeholders.number))
  }

  private static let base64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
}

/// A type that holds others: its schema follows from theirs, and it can be empty.
protocol SchemaContainer {
  /// A value without contents.
  static var placeholder: Self { get }
  static func schema(deriver: SchemaDeriver, path: [any CodingKey]) throws -> JSONValue
}

extension Array: SchemaContainer where Element: Decodable {
  static var placeholder: [Element] { [] }

  static func schema(deriver: SchemaDeriver, path: [any CodingKey]) throws -> JSONValue {
    ["type": "array", "items": try deriver.schema(of: Element.self, path: path + [RecordedKey.item])]
  }
}

extension Set: SchemaContainer where Element: Decodable {
  static var placeholder: Set<Element> { [] }

  // Items that come twice are one when they are decoded, so nothing is said about them.
  static func schema(deriver: SchemaDeriver, path: [any CodingKey]) throws -> JSONValue {
    ["type": "array", "items": try deriver.schema(of: Element.self, path: path + [RecordedKey.item])]
  }
}

extension Dictionary: SchemaContainer where Key: Decodable, Value: Decodable {
  static var placeholder: [Key: Value] { [:] }

  static func schema(deriver: SchemaDeriver, path: [any CodingKey]) throws -> JSONValue {
    guard Key.self == String.self else {
      throw SchemaDeriver.fault("only dictionaries with String keys can be described", Self.self, path)
    }
    return ["type": "object", "additionalProperties": try deriver.schema(of: Value.self, path: path)]
  }
}

extension Optional: SchemaContainer where Wrapped: Decodable {
  static var placeholder: Wrapped? { nil }

  static func schema(deriver: SchemaDeriver, path: [any CodingKey]) throws -> JSONValue {
    let schema = try deriver.schema(of: Wrapped.self, path: path)
    if case .object(var object) = schema, let type = object["type"]?.stringValue, object["enum"] == nil {
      object["type"] = .array([.string(type), "null"])
      return .object(object)
    }
    return ["anyOf": .array([schema, ["type": "null"]])]
  }
}
