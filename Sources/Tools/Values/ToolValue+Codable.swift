extension ToolValue: Codable {
  /// Decodes any JSON value; whole numbers that fit `Int` become ``integer(_:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let truth = try? container.decode(Bool.self) {
      self = .boolean(truth)
    } else if let integer = try? container.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let items = try? container.decode([ToolValue].self) {
      self = .array(items)
    } else {
      self = .object(try container.decode([String: ToolValue].self))
    }
  }

  /// Encodes the value as plain JSON; NaN and infinities become `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let truth): try container.encode(truth)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): if number.isFinite { try container.encode(number) } else { try container.encodeNil() }
    case .string(let text): try container.encode(text)
    case .array(let items): try container.encode(items)
    case .object(let members): try container.encode(members)
    }
  }
}
