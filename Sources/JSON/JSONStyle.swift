/// How JSON text is laid out. The layouts are those of Python's `json.dumps`, because chat templates are written for it.
public struct JSONStyle: Sendable, Hashable {
  /// What stands between two items or members.
  public var itemSeparator: String
  /// What stands between a key and its value.
  public var keySeparator: String
  /// One level of indentation; nil puts everything on one line. With one, each item starts a new line.
  public var indent: String?
  /// Whether every scalar outside printable ASCII is written as `\u` escapes.
  public var escapesNonASCII: Bool
  /// Whether members are written in the order of their keys' scalars instead of their own.
  public var sortsKeys: Bool

  /// A layout of the given parts.
  public init(
    itemSeparator: String = ", ", keySeparator: String = ": ", indent: String? = nil, escapesNonASCII: Bool = false,
    sortsKeys: Bool = false
  ) {
    self.itemSeparator = itemSeparator
    self.keySeparator = keySeparator
    self.indent = indent
    self.escapesNonASCII = escapesNonASCII
    self.sortsKeys = sortsKeys
  }

  /// Without any whitespace: `{"a":[1,2]}`.
  public static let compact = JSONStyle(itemSeparator: ",", keySeparator: ":")

  /// As `json.dumps(value, ensure_ascii=False)` prints: `{"a": [1, 2]}`.
  public static let spaced = JSONStyle()

  /// As `json.dumps(value, ensure_ascii=False, indent=width)` prints: each item on a line of its own.
  public static func indented(_ width: Int) -> JSONStyle {
    JSONStyle(itemSeparator: ",", indent: String(repeating: " ", count: max(width, 0)))
  }
}
