#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Recursive descent over arithmetic; precedence from loose to tight: `+ -`, `* / %`, unary sign, `^`, percent, atoms.
struct ExpressionParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private static let deepest = 64

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Functions of one argument.
  private static let functions: [(name: String, apply: @Sendable (Double) -> Double)] = [
    ("sqrt", { $0.squareRoot() }), ("abs", { $0.magnitude }), ("round", { $0.rounded() }),
    ("floor", { $0.rounded(.down) }), ("ceil", { $0.rounded(.up) }), ("ln", { log($0) }), ("log", { log10($0) }),
    ("exp", { exp($0) }), ("sin", { sin($0) }), ("cos", { cos($0) }), ("tan", { tan($0) }),
  ]

  /// Everything that may be called or named.
  static var names: [String] { functions.map(\.name) + ["pi", "e"] }

  /// Whether only blanks are left.
  var isAtEnd: Bool {
    scalars[position...].allSatisfy { $0.properties.isWhitespace }
  }

  /// The next few characters, for a message.
  var rest: String {
    var text = ""
    for scalar in scalars[position...].prefix(20) { text.unicodeScalars.append(scalar) }
    return text
  }

  mutating func expression(depth: Int) throws(CalculatorError) -> Double {
    guard depth < ExpressionParser.deepest else { throw .tooDeep }
    var value = try product(depth: depth).value
    while true {
      if take("+") {
        let right = try product(depth: depth)
        value += right.isPercentage ? value * right.value : right.value
      } else if take("-") || take("\u{2212}") {
        let right = try product(depth: depth)
        value -= right.isPercentage ? value * right.value : right.value
      } else {
        return value
      }
    }
  }

  private mutating func product(depth: Int) throws(CalculatorError) -> (value: Double, isPercentage: Bool) {
    var (value, isPercentage) = try signed(depth: depth)
    while true {
      if peek("*") && !peek("**") || peek("\u{00D7}") {
        position += 1
        value *= try signed(depth: depth).value
      } else if take("/") || take("\u{00F7}") {
        let divisor = try signed(depth: depth).value
        guard divisor != 0 else { throw .divisionByZero }
        value /= divisor
      } else if take("%") {
        let divisor = try signed(depth: depth).value
        guard divisor != 0 else { throw .divisionByZero }
        value = value.truncatingRemainder(dividingBy: divisor)
      } else if takeWord("of") {
        value *= try signed(depth: depth).value
      } else {
        return (value, isPercentage)
      }
      isPercentage = false
    }
  }

  private mutating func signed(depth: Int) throws(CalculatorError) -> (value: Double, isPercentage: Bool) {
    var negative = false
    while true {
      if take("-") || take("\u{2212}") {
        negative.toggle()
      } else if !take("+") {
        break
      }
    }
    let (value, isPercentage) = try power(depth: depth)
    return (negative ? -value : value, isPercentage)
  }

  private mutating func power(depth: Int) throws(CalculatorError) -> (value: Double, isPercentage: Bool) {
    guard depth < ExpressionParser.deepest else { throw .tooDeep }
    let (base, isPercentage) = try percentage(depth: depth)
    guard take("**") || take("^") else { return (base, isPercentage) }
    // Right-associative, and the exponent may carry a sign: 2^-1, 2^3^2.
    var negative = false
    while take("-") { negative.toggle() }
    let exponent = try power(depth: depth + 1).value
    return (pow(base, negative ? -exponent : exponent), false)
  }

  private mutating func percentage(depth: Int) throws(CalculatorError) -> (value: Double, isPercentage: Bool) {
    let value = try atom(depth: depth)
    guard peek("%"), !operandFollowsPercent else { return (value, false) }
    position += 1
    return (value / 100, true)
  }

  /// Whether the `%` here has an operand behind it and so is the remainder.
  private var operandFollowsPercent: Bool {
    var next = position + 1
    while next < scalars.count, scalars[next].properties.isWhitespace { next += 1 }
    guard next < scalars.count else { return false }
    let scalar = scalars[next]
    if scalar == "o", next + 1 < scalars.count, scalars[next + 1] == "f" { return false }
    return scalar == "(" || scalar == "." || scalar == "$" || isDigit(scalar) || scalar.properties.isAlphabetic
  }

  private mutating func atom(depth: Int) throws(CalculatorError) -> Double {
    _ = take("$")
    guard let next = current else { throw .incomplete }
    if take("(") {
      let value = try expression(depth: depth + 1)
      guard take(")") else { throw isAtEnd ? .incomplete : .unexpected(rest) }
      return value
    }
    if isDigit(next) || next == "." { return try number() }
    guard next.properties.isAlphabetic else { throw .unexpected(rest) }
    let name = word()
    switch name {
    case "pi", "π": return Double.pi
    case "e": return exp(1)
    default: break
    }
    guard let function = ExpressionParser.functions.first(where: { $0.name == name }) else {
      throw .unknownName(name)
    }
    guard take("(") else { throw isAtEnd ? .incomplete : .unexpected(rest) }
    let argument = try expression(depth: depth + 1)
    guard take(")") else { throw isAtEnd ? .incomplete : .unexpected(rest) }
    return function.apply(argument)
  }

  /// Digits with an optional fraction and exponent; commas between groups of three digits are skipped.
  private mutating func number() throws(CalculatorError) -> Double {
    var text = digits(grouped: true)
    if position < scalars.count, scalars[position] == "." {
      position += 1
      text += "." + digits(grouped: false)
    }
    if position < scalars.count, scalars[position] == "e" || scalars[position] == "E" {
      let start = position
      position += 1
      var sign = ""
      if position < scalars.count, scalars[position] == "+" || scalars[position] == "-" {
        sign = String(Character(scalars[position]))
        position += 1
      }
      let exponent = digits(grouped: false)
      if exponent.isEmpty { position = start } else { text += "e" + sign + exponent }
    }
    if text.hasPrefix(".") { text = "0" + text }
    if text.hasSuffix(".") { text += "0" }
    guard let value = Double(text.replacingDotBeforeExponent) else { throw .unexpected(rest) }
    return value
  }

  private mutating func digits(grouped: Bool) -> String {
    var text = ""
    while position < scalars.count {
      let scalar = scalars[position]
      if isDigit(scalar) {
        text.unicodeScalars.append(scalar)
      } else if !(grouped && scalar == "," && groupFollows) {
        break
      }
      position += 1
    }
    return text
  }

  /// Whether exactly three digits follow the comma here.
  private var groupFollows: Bool {
    let rest = scalars[(position + 1)...].prefix(4)
    return rest.count >= 3 && rest.prefix(3).allSatisfy(isDigit) && !(rest.count == 4 && rest.last.map(isDigit) == true)
  }

  private mutating func word() -> String {
    var text = ""
    while position < scalars.count, scalars[position].properties.isAlphabetic || isDigit(scalars[position]) {
      text.unicodeScalars.append(scalars[position])
      position += 1
    }
    return text.lowercased()
  }

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

  private mutating func skipBlanks() {
    while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
  }

  private var current: Unicode.Scalar? {
    mutating get {
      skipBlanks()
      return position < scalars.count ? scalars[position] : nil
    }
  }

  private mutating func peek(_ text: String) -> Bool {
    skipBlanks()
    return scalars[position...].starts(with: text.unicodeScalars)
  }

  private mutating func take(_ text: String) -> Bool {
    guard peek(text) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  private mutating func takeWord(_ text: String) -> Bool {
    guard peek(text) else { return false }
    let end = position + text.unicodeScalars.count
    if end < scalars.count, scalars[end].properties.isAlphabetic { return false }
    position = end
    return true
  }
}

extension String {
  /// `1.e5` as Swift's parser wants it: `1.0e5`.
  fileprivate var replacingDotBeforeExponent: String {
    guard let dot = firstIndex(of: "."), index(after: dot) < endIndex, self[index(after: dot)] == "e" else {
      return self
    }
    return String(self[...dot]) + "0" + String(self[index(after: dot)...])
  }
}
