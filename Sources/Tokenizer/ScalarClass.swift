/// What the splitting rules ask about a Unicode scalar.
enum ScalarClass: UInt8 {
  /// Neither letter nor number nor whitespace: punctuation, symbols, marks, controls, and bytes that are not UTF-8.
  case other = 0
  /// General category L.
  case letter
  /// General category N.
  case number
  /// White_Space, without the two line breaks.
  case space
  /// Carriage return or line feed.
  case lineBreak

  /// Whether this is whitespace, line breaks included.
  var isWhitespace: Bool { self == .space || self == .lineBreak }

  /// The class by Swift's Unicode properties.
  init(_ scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: self = .letter
    case .decimalNumber, .letterNumber, .otherNumber: self = .number
    default:
      if scalar == "\r" || scalar == "\n" {
        self = .lineBreak
      } else {
        self = scalar.properties.isWhitespace ? .space : .other
      }
    }
  }
}
