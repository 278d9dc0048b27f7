/// Choices about the form of the generated JSON; none of them changes which values are valid.
public struct GrammarOptions: Sendable, Hashable {
  /// White space between the tokens of a JSON text.
  public enum Whitespace: Sendable, Hashable {
    /// `", "` and `": "`, what Python's `json.dumps` prints and models were trained on.
    case spaced
    /// None at all.
    case compact
    /// Up to `maximum` blanks, tabs or line ends in each gap.
    case flexible(maximum: Int)
  }

  /// In which order the declared properties of an object come.
  public enum KeyOrder: Sendable, Hashable {
    /// The schema's order, then further keys: most text is forced and the model is never asked.
    case declared
    /// Any order.
    case any
  }

  /// White space between tokens.
  public var whitespace: Whitespace = .spaced

  /// Order of object keys.
  public var keyOrder: KeyOrder = .declared

  /// Whether objects that declare properties and say nothing about others have no others.
  public var closesObjects = false

  /// Digits of a number before the point, and after it, when the schema doesn't bound them.
  public var maximumDigits = 20

  /// Characters of a string that the schema doesn't bound; `nil` leaves it to the token budget.
  public var maximumStringLength: Int?

  /// Items of an array that the schema doesn't bound; `nil` leaves it to the token budget.
  public var maximumItems: Int?

  /// Objects and arrays open at the same time.
  public var maximumDepth = 64

  /// Whether `pattern`, `format` and `uniqueItems` are ignored where they can't be honoured, instead of refused.
  public var isLenient = false

  /// The defaults.
  public init() {}

  /// The defaults with a whitespace form and a key order.
  public init(whitespace: Whitespace, keyOrder: KeyOrder = .declared) {
    self.whitespace = whitespace
    self.keyOrder = keyOrder
  }
}
