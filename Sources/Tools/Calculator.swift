/// Evaluates arithmetic that comes from a model or a user: numbers, `+ - * / %`, `^` or `**`, parentheses, unary signs,
/// percentages, a few functions and `pi`, `e`.
///
/// ```swift
/// try Calculator.evaluate("15% * 47.50")      // 7.125
/// try Calculator.evaluate("sqrt(2) * (3 + 4)")  // 9.899494936611665
/// ```
///
/// Work and depth are bounded by the length and nesting of the text, and nothing traps: every fault is a
/// ``CalculatorError``. A `%` with an operand after it is the remainder; anywhere else it divides by 100, and
/// `a + b%`, `a - b%` take the percentage of `a`.
public enum Calculator {
  /// The longest expression in bytes.
  public static let maximumLength = 4096

  /// The value of `expression`.
  ///
  /// - Throws: ``CalculatorError`` when it isn't an expression, is too long or nested too deeply, divides by zero, or
  ///   has no finite value.
  public static func evaluate(_ expression: String) throws(CalculatorError) -> Double {
    guard expression.utf8.count <= maximumLength else { throw .tooLong }
    var parser = ExpressionParser(expression)
    let value = try parser.expression(depth: 0)
    guard parser.isAtEnd else { throw .unexpected(parser.rest) }
    guard value.isFinite else { throw .notFinite }
    return value
  }
}

/// Why an expression has no value.
public enum CalculatorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text ends where an operand should be.
  case incomplete
  /// The text goes on where it can't; with what follows.
  case unexpected(String)
  /// A name that is neither a function nor a constant.
  case unknownName(String)
  /// Division, or remainder, by zero.
  case divisionByZero
  /// The value is infinite or not a number.
  case notFinite
  /// Longer than ``Calculator/maximumLength``.
  case tooLong
  /// Nested more than 64 levels deep.
  case tooDeep

  /// The reason in words fit for a model.
  public var description: String {
    switch self {
    case .incomplete: "the expression is incomplete"
    case .unexpected(let rest): "can't read the expression at \"\(rest)\""
    case .unknownName(let name): "unknown name \"\(name)\"; known: \(ExpressionParser.names.joined(separator: ", "))"
    case .divisionByZero: "division by zero"
    case .notFinite: "the value is not a finite number"
    case .tooLong: "the expression is longer than \(Calculator.maximumLength) bytes"
    case .tooDeep: "the expression is nested too deeply"
    }
  }
}
