public import JSON

extension ToolValue {
  /// The value that a JSON value stands for: whole numbers become ``integer(_:)``, others ``number(_:)``.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .boolean(let truth): self = .boolean(truth)
    case .integer(let integer): self = .integer(integer)
    case .double(let double): self = .number(double)
    case .string(let text): self = .string(text)
    case .array(let items): self = .array(items.map(ToolValue.init))
    case .object(let object): self = .object(ToolValue.members(of: object))
    }
  }

  /// The value that a JSON text stands for.
  ///
  /// - Throws: `JSONError` with the place of the fault when `text` is not exactly one JSON document.
  public init(json text: String) throws {
    self.init(try JSONValue(parsing: text))
  }

  /// This value as JSON: members in the order of their names, NaN and infinities as `null`.
  public var json: JSONValue {
    switch self {
    case .null: .null
    case .boolean(let truth): .boolean(truth)
    case .integer(let integer): .integer(integer)
    case .number(let number): number.isFinite ? .double(number) : .null
    case .string(let text): .string(text)
    case .array(let items): .array(items.map(\.json))
    case .object(let members): .object(ToolValue.json(of: members))
    }
  }

  /// This value as compact JSON text.
  public var jsonText: String { json.compact }

  /// The members of a JSON object as tool values.
  package static func members(of object: JSONObject) -> [String: ToolValue] {
    var members: [String: ToolValue] = [:]
    for (key, value) in object.members { members[key] = ToolValue(value) }
    return members
  }

  /// Named values as a JSON object, sorted by the Unicode scalars of the names so that equal values give equal text.
  package static func json(of members: [String: ToolValue]) -> JSONObject {
    var object = JSONObject()
    let names = members.keys.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
    for name in names { object[name] = members[name]?.json }
    return object
  }
}

extension ToolValue: CustomStringConvertible {
  /// The value as JSON text.
  public var description: String { jsonText }
}
