public import JSON

/// A compiled grammar: which texts are allowed. Shared by any number of matchers, on any thread.
///
/// ```swift
/// let grammar = try Grammar.schema(["type": "object", "properties": ["city": ["type": "string"]], "required": ["city"]])
/// var matcher = Matcher(grammar, vocabulary: vocabulary)
/// while !matcher.isComplete {
///   let token = sample(allowed: matcher.mask())
///   guard matcher.accept(token: token) else { break }
/// }
/// ```
public struct Grammar: Sendable {
  let program: GrammarProgram

  /// Compiles `expression`.
  ///
  /// - Parameter library: where schemas that are compiled already are found, and new ones go; `nil`: they stay with this
  ///   grammar.
  /// - Throws: what can't be honoured exactly: the JSON pointer, the keyword and the reason. Nothing is widened silently.
  public init(
    _ expression: GrammarExpression, options: GrammarOptions = GrammarOptions(), library: GrammarLibrary? = nil
  ) throws(GrammarError) {
    program = try GrammarProgram(expression, stores: library?.stores(options) ?? GrammarStores(options))
  }

  /// JSON texts of the values that satisfy `schema` (drafts 4 to 2020-12).
  public static func schema(
    _ schema: JSONValue, options: GrammarOptions = GrammarOptions()
  ) throws(GrammarError) -> Grammar {
    try Grammar(.json(schema: schema), options: options)
  }

  /// Texts that `pattern` (ECMA-262 syntax) matches as a whole.
  public static func regex(_ pattern: String) throws(GrammarError) -> Grammar {
    try Grammar(.regex(pattern))
  }
}
