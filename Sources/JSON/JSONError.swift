/// Why a text is not JSON, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong at the position.
  public enum Reason: Hashable, Sendable {
    /// The text ended where something else was expected.
    case unexpectedEnd(expected: String)
    /// A character stands where something else was expected.
    case unexpected(Unicode.Scalar, expected: String)
    /// Something follows the document.
    case trailingText
    /// Not a number in JSON's form (`01`, `1.`, `.5`, `+1`).
    case invalidNumber
    /// A number too large for a `Double`.
    case numberOutOfRange
    /// A backslash with something JSON does not know after it.
    case invalidEscape
    /// A `\u` escape that is half of a surrogate pair without its other half.
    case loneSurrogate
    /// A control character (below U+0020) inside a string, where only its escape is allowed.
    case controlCharacter(UInt8)
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// More arrays and objects inside each other than allowed.
    case tooDeep(limit: Int)
  }

  /// What is wrong.
  public let reason: Reason
  /// The position in bytes from the start of the text.
  public let offset: Int
  /// The line, counted from 1.
  public let line: Int
  /// The column in Unicode scalars, counted from 1.
  public let column: Int

  /// The error at byte `offset` of `text`.
  init(_ reason: Reason, at offset: Int, in text: [UInt8]) {
    var line = 1
    var column = 1
    for byte in text[..<min(max(offset, 0), text.count)] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.reason = reason
    self.offset = offset
    self.line = line
    self.column = column
  }
}

extension JSONError: CustomStringConvertible {
  /// One line: what is wrong and where.
  public var description: String {
    "invalid JSON at line \(line), column \(column): \(reason)"
  }
}

extension JSONError.Reason: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .unexpectedEnd(let expected): "the text ends where \(expected) was expected"
    case .unexpected(let scalar, let expected): "\(scalar.debugDescription) where \(expected) was expected"
    case .trailingText: "text after the end of the document"
    case .invalidNumber: "not a number in JSON's form"
    case .numberOutOfRange: "number beyond the range of a 64-bit float"
    case .invalidEscape: "unknown escape in a string"
    case .loneSurrogate: "\\u escape with half of a surrogate pair"
    case .controlCharacter(let byte): "unescaped control character \(byte) in a string"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    }
  }
}
