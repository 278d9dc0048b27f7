/// The tokens between `{{` and `}}`, or `{%` and `%}`.
extension Lexer {
  mutating func lexExpression(isBlock: Bool, from tag: Int) throws(TemplateError) {
    var open: [UInt8] = []
    let close = isBlock ? UInt8(ascii: "%") : UInt8(ascii: "}")
    while true {
      skipSpace()
      guard position < bytes.count else {
        throw fail("this \(isBlock ? "statement" : "expression") is never closed", at: tag)
      }
      if open.isEmpty, endsTag(isBlock: isBlock, close: close) { return }
      let start = position
      let first = bytes[position]
      switch first {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): try lexString()
      case UInt8(ascii: "0")...UInt8(ascii: "9"): try lexNumber()
      default:
        if first >= 0x80 || first.isNameByte {
          lexName()
        } else {
          try lexSymbol(&open)
        }
      }
      if position == start { throw fail("unexpected character", at: position) }
    }
  }

  private mutating func endsTag(isBlock: Bool, close: UInt8) -> Bool {
    var end = position
    let sign = bytes[end]
    if sign == UInt8(ascii: "-") || (isBlock && sign == UInt8(ascii: "+")) { end += 1 }
    guard byte(at: end) == close, byte(at: end + 1) == UInt8(ascii: "}") else { return false }
    tokens.append(Token(kind: isBlock ? .blockEnd : .variableEnd, offset: position))
    position = end + 2
    if isBlock {
      endTag(sign: sign)
    } else if sign == UInt8(ascii: "-") {
      skipSpace()
    }
    return true
  }

  private mutating func lexName() {
    let start = position
    while position < bytes.count, bytes[position] >= 0x80 || bytes[position].isNameByte {
      let (scalar, width) = scalar(at: position)
      guard scalar.isASCII || scalar.properties.isXIDContinue else { break }
      position += width
    }
    tokens.append(Token(kind: .name(String(decoding: bytes[start..<position], as: UTF8.self)), offset: start))
  }

  private mutating func lexSymbol(_ open: inout [UInt8]) throws(TemplateError) {
    let start = position
    let two = String(decoding: bytes[start..<min(start + 2, bytes.count)], as: UTF8.self)
    let symbol: Token.Symbol
    if let long = Token.Symbol(rawValue: two), two.utf8.count == 2 {
      symbol = long
      position += 2
    } else if let short = Token.Symbol(rawValue: String(Unicode.Scalar(bytes[start]))) {
      symbol = short
      position += 1
    } else {
      throw fail("unexpected character '\(Unicode.Scalar(bytes[start]))'", at: start)
    }
    switch symbol {
    case .leftParenthesis: open.append(UInt8(ascii: ")"))
    case .leftBracket: open.append(UInt8(ascii: "]"))
    case .leftBrace: open.append(UInt8(ascii: "}"))
    case .rightParenthesis, .rightBracket, .rightBrace:
      guard let expected = open.popLast() else { throw fail("unexpected '\(symbol.rawValue)'", at: start) }
      guard expected == bytes[start] else {
        throw fail("unexpected '\(symbol.rawValue)', expected '\(Unicode.Scalar(expected))'", at: start)
      }
    default: break
    }
    tokens.append(Token(kind: .symbol(symbol), offset: start))
  }
}

// MARK: - Numbers

extension Lexer {
  private mutating func lexNumber() throws(TemplateError) {
    let start = position
    if byte(at: start) == UInt8(ascii: "0"), let radix = radix(of: byte(at: start + 1)) {
      position += 2
      let digits = takeDigits { $0.isNameByte }
      guard let value = BigInteger(digits: digits, radix: radix), !digits.isEmpty else {
        throw fail("this number has no valid digits", at: start)
      }
      tokens.append(Token(kind: .integer(value), offset: start))
      return
    }
    var text = takeDigits(while: \.isDigit)
    let afterDot = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
    var isFloat = false
    if !afterDot {
      if byte(at: position) == UInt8(ascii: "."), byte(at: position + 1).isDigit {
        position += 1
        text += [UInt8(ascii: ".")] + takeDigits(while: \.isDigit)
        isFloat = true
      }
      if byte(at: position) | 0x20 == UInt8(ascii: "e") {
        let sign = byte(at: position + 1)
        let signed = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        if byte(at: position + (signed ? 2 : 1)).isDigit {
          position += signed ? 2 : 1
          text += [UInt8(ascii: "e")] + (signed ? [sign] : []) + takeDigits(while: \.isDigit)
          isFloat = true
        }
      }
    }
    guard text.count <= 4300 else { throw fail("this number is too long", at: start) }
    if isFloat {
      tokens.append(Token(kind: .float(Double(String(decoding: text, as: UTF8.self)) ?? .infinity), offset: start))
    } else if let value = BigInteger(digits: text, radix: 10) {
      tokens.append(Token(kind: .integer(value), offset: start))
    }
  }

  private func radix(of letter: UInt8) -> Int? {
    switch letter | 0x20 {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  /// The digits from here on, underscores between them dropped.
  private mutating func takeDigits(while accepted: (UInt8) -> Bool) -> [UInt8] {
    var digits: [UInt8] = []
    while accepted(byte(at: position)) || byte(at: position) == UInt8(ascii: "_") {
      if bytes[position] != UInt8(ascii: "_") { digits.append(bytes[position]) }
      position += 1
    }
    return digits
  }
}

// MARK: - Strings

extension Lexer {
  private mutating func lexString() throws(TemplateError) {
    let start = position
    let quote = bytes[start]
    var text: [UInt8] = []
    position += 1
    while true {
      guard position < bytes.count else { throw fail("this string is never closed", at: start) }
      let next = bytes[position]
      position += 1
      if next == quote { break }
      if next != UInt8(ascii: "\\") {
        text.append(next)
        continue
      }
      guard position < bytes.count else { throw fail("this string is never closed", at: start) }
      try lexEscape(into: &text)
    }
    tokens.append(Token(kind: .string(Text(bytes: text, origin: .template)), offset: start))
  }

  /// One escape of Python's string literals; an unknown one stands for itself, backslash included.
  private mutating func lexEscape(into text: inout [UInt8]) throws(TemplateError) {
    let start = position - 1
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\n"): break
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): text.append(letter)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "a"): text.append(0x07)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "x"): append(try hexadecimal(2, from: start), to: &text)
    case UInt8(ascii: "u"): append(try surrogatePair(first: try hexadecimal(4, from: start)), to: &text)
    case UInt8(ascii: "U"): append(try hexadecimal(8, from: start), to: &text)
    case UInt8(ascii: "N"): throw fail("escapes by character name aren't supported", at: start)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var value = UInt32(letter - 48)
      for _ in 0..<2 where (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte(at: position)) {
        value = value * 8 + UInt32(bytes[position] - 48)
        position += 1
      }
      append(value, to: &text)
    default: text += [UInt8(ascii: "\\"), letter]
    }
  }

  private mutating func hexadecimal(_ count: Int, from start: Int) throws(TemplateError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = byte(at: position).hexadecimalValue else {
        throw fail("this escape needs \(count) hexadecimal digits", at: start)
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  private mutating func surrogatePair(first: UInt32) throws(TemplateError) -> UInt32 {
    guard (0xD800...0xDBFF).contains(first), byte(at: position) == UInt8(ascii: "\\"),
      byte(at: position + 1) == UInt8(ascii: "u")
    else { return first }
    let start = position
    position += 2
    let second = try hexadecimal(4, from: start)
    if (0xDC00...0xDFFF).contains(second) { return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00) }
    position = start
    return first
  }

  /// Appends a scalar; what no scalar has (a lone surrogate) becomes U+FFFD.
  private func append(_ value: UInt32, to text: inout [UInt8]) {
    text += String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isNameByte: Bool {
    isDigit || self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  var hexadecimalValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self) - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self) - 55
    default: nil
    }
  }
}
