/// Cuts template source into tokens, with the white-space rules that the field sets: `trim_blocks` (one line end after
/// a statement or comment goes) and `lstrip_blocks` (blanks before a statement or comment that begins its line go).
///
/// Source: the lexical rules of Jinja 3.1's documentation ("Whitespace Control", "Line Statements" being off).
struct Lexer {
  let source: SourceText
  var bytes: [UInt8] { source.bytes }
  var position = 0
  var tokens: [Token] = []

  /// - Complexity: linear in the source.
  static func tokens(of source: SourceText) throws(TemplateError) -> [Token] {
    var lexer = Lexer(source: source)
    try lexer.run()
    return lexer.tokens
  }

  private init(source: SourceText) { self.source = source }

  private mutating func run() throws(TemplateError) {
    while position < bytes.count {
      let dataStart = position
      guard let tag = nextTag(from: position) else {
        emitData(dataStart..<bytes.count)
        position = bytes.count
        break
      }
      let sign = byte(at: tag + 2)
      let hasSign = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
      let kind = bytes[tag + 1]
      emitData(trimmed(dataStart..<tag, before: kind, sign: hasSign ? sign : 0))
      position = tag + (hasSign ? 3 : 2)
      switch kind {
      case UInt8(ascii: "#"): try skipComment(from: tag)
      case UInt8(ascii: "%"):
        if let body = rawBody() {
          try lexRaw(from: tag, body: body)
        } else {
          tokens.append(Token(kind: .blockBegin, offset: tag))
          try lexExpression(isBlock: true, from: tag)
        }
      default:
        tokens.append(Token(kind: .variableBegin, offset: tag))
        try lexExpression(isBlock: false, from: tag)
      }
    }
    tokens.append(Token(kind: .end, offset: bytes.count))
  }

  func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  func fail(_ message: String, at offset: Int) -> TemplateError { source.error(.syntax, message, at: offset) }

  private func nextTag(from start: Int) -> Int? {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "{") {
        let next = bytes[index + 1]
        if next == UInt8(ascii: "{") || next == UInt8(ascii: "%") || next == UInt8(ascii: "#") { return index }
      }
      index += 1
    }
    return nil
  }

  private mutating func emitData(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let text = Text(bytes: Array(bytes[range]), origin: .template)
    tokens.append(Token(kind: .data(text), offset: range.lowerBound))
  }

  /// What is left of the text before a tag.
  private func trimmed(_ range: Range<Int>, before kind: UInt8, sign: UInt8) -> Range<Int> {
    if sign == UInt8(ascii: "-") {
      let text = Text(bytes: Array(bytes[range]), origin: .template).stripped(.trailing)
      return range.lowerBound..<range.lowerBound + text.bytes.count
    }
    if sign == UInt8(ascii: "+") || kind == UInt8(ascii: "{") { return range }
    var low = range.upperBound
    while low > range.lowerBound, bytes[low - 1] != UInt8(ascii: "\n") { low -= 1 }
    let beginsLine =
      low > range.lowerBound || range.lowerBound == 0 || bytes[range.lowerBound - 1] == UInt8(ascii: "\n")
    let line = Text(bytes: Array(bytes[low..<range.upperBound]), origin: .template)
    return beginsLine && line.stripped(.both).isEmpty ? range.lowerBound..<low : range
  }

  mutating func skipSpace() {
    while position < bytes.count {
      let (scalar, width) = scalar(at: position)
      guard scalar.isPythonSpace else { return }
      position += width
    }
  }

  func scalar(at index: Int) -> (Unicode.Scalar, Int) {
    if bytes[index] < 0x80 { return (Unicode.Scalar(bytes[index]), 1) }
    return Text(bytes: Array(bytes[index..<min(index + 4, bytes.count)]), origin: .template).scalar(at: 0)
  }

  private mutating func skipComment(from tag: Int) throws(TemplateError) {
    while position + 1 < bytes.count {
      if bytes[position] == UInt8(ascii: "#"), bytes[position + 1] == UInt8(ascii: "}") {
        let sign = bytes[position - 1]
        // In `{#-#}` the dash belongs to the beginning.
        let isOwn = position - 1 >= tag + 3 || (position - 1 == tag + 2 && sign == UInt8(ascii: "+"))
        position += 2
        endTag(sign: isOwn ? sign : 0)
        return
      }
      position += 1
    }
    throw fail("this comment is never closed with '#}'", at: tag)
  }

  /// Passes over what the end of a statement or comment takes with it.
  mutating func endTag(sign: UInt8) {
    if sign == UInt8(ascii: "-") {
      skipSpace()
    } else if sign != UInt8(ascii: "+"), byte(at: position) == UInt8(ascii: "\n") {
      position += 1
    }
  }

  /// Where the text of a `{% raw %}` begins, when the tag at hand is one.
  private func rawBody() -> Int? {
    var probe = self
    probe.skipSpace()
    guard bytes[probe.position...].starts(with: "raw".utf8) else { return nil }
    probe.position += 3
    probe.skipSpace()
    let strips = probe.byte(at: probe.position) == UInt8(ascii: "-")
    if strips { probe.position += 1 }
    guard bytes[probe.position...].starts(with: "%}".utf8) else { return nil }
    probe.position += 2
    if strips { probe.skipSpace() }
    return probe.position
  }

  private mutating func lexRaw(from tag: Int, body: Int) throws(TemplateError) {
    position = body
    var index = body
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "%") {
        var probe = self
        probe.position = index + 2
        let sign = byte(at: index + 2)
        let hasSign = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
        if hasSign { probe.position += 1 }
        probe.skipSpace()
        if bytes[probe.position...].starts(with: "endraw".utf8) {
          probe.position += 6
          probe.skipSpace()
          let endSign = probe.byte(at: probe.position)
          if endSign == UInt8(ascii: "-") || endSign == UInt8(ascii: "+") { probe.position += 1 }
          if bytes[probe.position...].starts(with: "%}".utf8) {
            emitData(trimmed(body..<index, before: UInt8(ascii: "%"), sign: hasSign ? sign : 0))
            position = probe.position + 2
            endTag(sign: endSign)
            return
          }
        }
      }
      index += 1
    }
    throw fail("this raw block is never closed with '{% endraw %}'", at: tag)
  }
}
