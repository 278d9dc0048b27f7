import JSON

extension JSONSchema {
  /// The schema of what a `Decodable` type decodes from.
  ///
  /// ```swift
  /// struct Trip: Decodable {
  ///   enum Unit: String, CaseIterable, Decodable { case celsius, fahrenheit }
  ///   let city: String
  ///   let days: Int?
  ///   let unit: Unit
  /// }
  /// try JSONSchema(describing: Trip.self).value
  /// // {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"},
  /// //  "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}}, "required": ["city", "unit"]}
  /// ```
  ///
  /// The type's `init(from:)` is run on a decoder that hands out placeholders and notes what was asked for, under the
  /// coding keys and in the order in which it was asked. Optional properties are not required; enumerations with raw
  /// values list them when they are `CaseIterable`; `Date`, `URL` and `UUID` are strings with a format, `Data` is Base64
  /// text; arrays, sets, dictionaries with `String` keys, nested and recursive types are described as they are. A type
  /// that conforms to ``SchemaDescribing`` adds descriptions, or replaces the whole.
  ///
  /// - Throws: ``SchemaDerivationError`` for types whose decoding can't be followed: enumerations with associated values
  ///   or without a list of their cases, types that contain themselves without end, and types that refuse placeholders.
  public init(describing type: (some Decodable).Type) throws(SchemaDerivationError) {
    self.init(try SchemaDeriver.schema(of: type))
  }
}

/// A `Decodable` type that tells the model what its members mean.
///
/// ```swift
/// struct WeatherRequest: SchemaDescribing {
///   let city: String
///   let days: Int?
///   static let descriptions = ["city": "City name", "days": "How many days ahead, 1 to 7"]
/// }
/// ```
public protocol SchemaDescribing: Decodable {
  /// What the members mean, by their coding keys. A key that the type doesn't have is an error when the schema is made.
  static var descriptions: [String: String] { get }
  /// The schema of the type, for types whose decoding can't be followed; `nil`, the default, derives it.
  static var jsonSchema: JSONSchema? { get }
}

extension SchemaDescribing {
  /// No descriptions.
  public static var descriptions: [String: String] { [:] }
  /// Derived from the type.
  public static var jsonSchema: JSONSchema? { nil }
}

/// Why a type has no schema.
public struct SchemaDerivationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The type at fault.
  public let type: String
  /// Where in the described type, as a JSON pointer into its schema; empty for the type itself.
  public let pointer: String
  /// What is wrong and what to do.
  public let reason: String

  /// Type, place and reason in one line.
  public var description: String {
    pointer.isEmpty ? "\(type): \(reason)" : "\(type) at \(pointer): \(reason)"
  }
}
