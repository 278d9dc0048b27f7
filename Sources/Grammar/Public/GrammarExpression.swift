public import JSON

/// What a text may be: JSON of a schema, fixed text, free text, and combinations of them.
///
/// ```swift
/// let call = GrammarExpression.sequence([
///   .literal("{\"name\": \"get_weather\", \"arguments\": "), .json(schema: schema), .literal("}"),
/// ])
/// let answer = GrammarExpression.choice([.text(excluding: ["<tool_call>"]), call])
/// ```
public indirect enum GrammarExpression: Sendable {
  /// Exactly this text.
  case literal(String)

  /// A JSON value that satisfies `schema`, in the whitespace form of the options.
  case json(schema: JSONValue)

  /// A text that the pattern (ECMA-262 syntax) matches as a whole.
  case regex(String)

  /// One after the other.
  case sequence([GrammarExpression])

  /// Any one of them; none of them is an error when compiled.
  case choice([GrammarExpression])

  /// Between `min` and `max` times (`nil`: no limit), with `separator` between two.
  case repeated(GrammarExpression, min: Int, max: Int?, separator: String)

  /// Any valid UTF-8 text, also none, in which none of the markers occurs.
  case text(excluding: [String])

  /// The vocabulary's control token of that spelling; its bytes when the vocabulary has no such token.
  case control(String)
}
