/// One parameter of a tool.
///
/// ```swift
/// ToolParameter(name: "unit", type: .string, description: "Unit of the answer", required: false,
///               enumValues: ["celsius", "fahrenheit"])
/// ```
public struct ToolParameter: Sendable, Hashable {
  /// The key under which the argument arrives.
  public let name: String
  /// What the argument may be.
  public let type: ToolParameterType
  /// What the parameter means; the model reads it.
  public let description: String
  /// Whether the model must give it.
  public let required: Bool
  /// The only values allowed, or `nil`. For `.string` as they stand, for `.integer`, `.number` and `.boolean` in JSON's
  /// spelling (`"10"`, `"true"`).
  public let enumValues: [String]?

  /// A parameter of a tool; `required` unless said otherwise.
  public init(
    name: String, type: ToolParameterType, description: String, required: Bool = true, enumValues: [String]? = nil
  ) {
    self.name = name
    self.type = type
    self.description = description
    self.required = required
    self.enumValues = enumValues
  }
}

/// The type of a tool's parameter.
public enum ToolParameterType: Sendable, Hashable {
  /// Text.
  case string
  /// Any number.
  case number
  /// A whole number.
  case integer
  /// `true` or `false`.
  case boolean
  /// A list whose items are all of one type.
  indirect case array(of: ToolParameterType)
  /// An object with its own named parameters.
  case object([ToolParameter])
}
