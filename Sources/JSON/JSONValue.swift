/// A JSON document as a value: object keys keep their order, and integers stay apart from floating-point numbers.
///
/// ```swift
/// let call = try JSONValue(parsing: #"{"name": "get_weather", "days": 3}"#)
/// call["name"]?.stringValue   // "get_weather"
/// call.spaced                 // {"name": "get_weather", "days": 3}
/// ```
///
/// Two values are equal when they have the same case and content: strings and keys compare by Unicode scalars (a
/// composed `é` differs from `e` with a combining accent), `.integer(1)` differs from `.double(1)`, and the order of
/// an object's members does not matter.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number without fraction and exponent that fits `Int`.
  case integer(Int)
  /// Any other number.
  case double(Double)
  /// Text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Named members, in order.
  case object(JSONObject)
}

extension JSONValue: Hashable {
  /// Whether both have the same kind and content, strings by their scalars.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): ScalarString(left) == ScalarString(right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Feeds what equality looks at.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(ScalarString(value))
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension JSONValue {
  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The truth value, or nil for any other kind.
  public var booleanValue: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The integer, also of a `.double` that is a whole number (`3.0`) within the range of `Int`; nil for any other kind.
  public var integerValue: Int? {
    switch self {
    case .integer(let value): value
    case .double(let value): Self.wholeNumber(value)
    default: nil
    }
  }

  /// `value` as an integer when it is one. (The library's `Int(exactly:)` needs libm, which is linked only with Foundation.)
  private static func wholeNumber(_ value: Double) -> Int? {
    guard value >= -0x1p63, value < 0x1p63 else { return nil }
    let integer = Int(value)
    return Double(integer) == value ? integer : nil
  }

  /// The number as a `Double`, also of an `.integer` (rounded beyond 2^53); nil for any other kind.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The text, or nil for any other kind.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The items, or nil for any other kind.
  public var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members, or nil for any other kind.
  public var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member `key` of an object; nil when there is none or this is not an object.
  public subscript(key: String) -> JSONValue? {
    objectValue?[key]
  }

  /// The item at `index` of an array; nil when there is none or this is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard let items = arrayValue, items.indices.contains(index) else { return nil }
    return items[index]
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object with the members in the order written; of equal keys the last wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as spaced JSON text.
  public var description: String { spaced }
}
