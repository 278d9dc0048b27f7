/// A piece of template source.
struct Token {
  enum Kind: Equatable {
    /// Text to be printed as it stands.
    case data(Text)
    case variableBegin, variableEnd
    case blockBegin, blockEnd
    case name(String)
    case string(Text)
    case integer(BigInteger)
    case float(Double)
    case symbol(Symbol)
    case end
  }

  /// Operators and punctuation of expressions.
  enum Symbol: String {
    case add = "+", subtract = "-", multiply = "*", divide = "/", floorDivide = "//", modulo = "%", power = "**"
    case tilde = "~", pipe = "|", dot = ".", comma = ",", colon = ":", semicolon = ";", assign = "="
    case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case leftParenthesis = "(", rightParenthesis = ")", leftBracket = "[", rightBracket = "]"
    case leftBrace = "{", rightBrace = "}"
  }

  var kind: Kind
  /// The byte offset in the normalised source.
  var offset: Int
}

extension Token {
  /// The token as a message shows it.
  var description: String {
    switch kind {
    case .data: "template text"
    case .variableBegin: "'{{'"
    case .variableEnd: "'}}'"
    case .blockBegin: "'{%'"
    case .blockEnd: "'%}'"
    case .name(let name): "'\(name)'"
    case .string: "a string"
    case .integer, .float: "a number"
    case .symbol(let symbol): "'\(symbol.rawValue)'"
    case .end: "the end of the template"
    }
  }
}

/// Template source with its line ends made `\n` and one of them dropped at the end, and places in it.
struct SourceText {
  let bytes: [UInt8]

  init(_ source: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.utf8.count)
    var afterReturn = false
    for byte in source.utf8 {
      switch byte {
      case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "\n") where afterReturn: break
      default: bytes.append(byte)
      }
      afterReturn = byte == UInt8(ascii: "\r")
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    self.bytes = bytes
  }

  /// The line and the column in scalars, both from 1, of a byte offset.
  func place(of offset: Int) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(max(0, offset)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if Text.isBoundary(byte) {
        column += 1
      }
    }
    return (line, column)
  }

  func error(_ kind: TemplateError.Kind, _ message: String, at offset: Int) -> TemplateError {
    let (line, column) = place(of: offset)
    return TemplateError(kind, message, line: line, column: column)
  }
}
