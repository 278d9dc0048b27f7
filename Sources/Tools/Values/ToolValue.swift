/// A value that a tool receives as an argument or returns as part of its result.
///
/// ```swift
/// await RunAnywhere.registerTool(weatherTool) { args -> [String: ToolValue] in
///   let city = args["city"]?.stringValue ?? "Unknown"
///   return ["city": .string(city), "temperature": .number(72.0), "warnings": ["wind", "rain"]]
/// }
/// ```
///
/// Arguments arrive by the type that the parameter declares: `.number` parameters as ``number(_:)``, `.integer`
/// parameters as ``integer(_:)``, exact over the whole range of `Int`.
public enum ToolValue: Sendable, Hashable {
  /// Text.
  case string(String)
  /// A floating-point number. NaN and infinities become `null` on the way to the model.
  case number(Double)
  /// A whole number, exact beyond 2^53.
  case integer(Int)
  /// A truth value.
  case boolean(Bool)
  /// A list.
  case array([ToolValue])
  /// Named values. On the way to the model they are written in the order of their names.
  case object([String: ToolValue])
  /// No value.
  case null
}

extension ToolValue {
  /// The text of a ``string(_:)``, otherwise `nil`.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of a ``number(_:)`` or an ``integer(_:)`` (rounded to the nearest `Double`), otherwise `nil`.
  public var numberValue: Double? {
    switch self {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    default: nil
    }
  }

  /// The value of an ``integer(_:)``, or of a ``number(_:)`` that is whole and fits `Int`, otherwise `nil`.
  public var integerValue: Int? {
    switch self {
    case .integer(let integer): integer
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }

  /// The value of a ``boolean(_:)``, otherwise `nil`.
  public var booleanValue: Bool? {
    if case .boolean(let truth) = self { truth } else { nil }
  }

  /// The items of an ``array(_:)``, otherwise `nil`.
  public var arrayValue: [ToolValue]? {
    if case .array(let items) = self { items } else { nil }
  }

  /// The members of an ``object(_:)``, otherwise `nil`.
  public var objectValue: [String: ToolValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// Whether this is ``null``.
  public var isNull: Bool { self == .null }
}

extension ToolValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  /// A ``string(_:)``.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An ``integer(_:)``.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A ``number(_:)``.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A ``boolean(_:)``.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// An ``array(_:)``.
  public init(arrayLiteral elements: ToolValue...) { self = .array(elements) }
  /// An ``object(_:)``; of a key given twice the later value stays.
  public init(dictionaryLiteral elements: (String, ToolValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
  /// ``null``.
  public init(nilLiteral: ()) { self = .null }
}
