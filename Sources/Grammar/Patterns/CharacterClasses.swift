import Synchronization

/// The classes that escapes in patterns name.
enum CharacterClasses {
  static let digits = CodePointSet([(0x30, 0x39)])
  static let word = CodePointSet([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])
  static let space = CodePointSet([
    (0x9, 0xD), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
  ])

  /// The code points of a general category (`L`, `Lu`, `Letter`, `N`, …) or of `ASCII`, `Alphabetic`; `nil` when unknown.
  ///
  /// - Complexity: one pass over Unicode when a name is asked for the first time.
  static func property(_ name: String) -> CodePointSet? {
    let short = name.split(separator: "=").last.map(String.init) ?? name
    if let known = properties.withLock({ $0[short] }) { return known }
    guard let found = scan(short) else { return nil }
    properties.withLock { $0[short] = found }
    return found
  }

  /// The sets that have been asked for; only known names get in.
  private static let properties = Mutex<[String: CodePointSet]>([:])

  private static func scan(_ short: String) -> CodePointSet? {
    if short == "ASCII" { return CodePointSet([(0, 0x7F)]) }
    if short == "Any" { return .anyCodePoint }
    let wanted: (Unicode.Scalar.Properties) -> Bool
    switch short {
    case "Alphabetic", "Alpha": wanted = { $0.isAlphabetic }
    case "L", "Letter": wanted = { letters.contains($0.generalCategory) }
    case "Lu", "Uppercase_Letter": wanted = { $0.generalCategory == .uppercaseLetter }
    case "Ll", "Lowercase_Letter": wanted = { $0.generalCategory == .lowercaseLetter }
    case "N", "Number": wanted = { [.decimalNumber, .letterNumber, .otherNumber].contains($0.generalCategory) }
    case "Nd", "Decimal_Number", "digit": wanted = { $0.generalCategory == .decimalNumber }
    case "M", "Mark": wanted = { [.nonspacingMark, .spacingMark, .enclosingMark].contains($0.generalCategory) }
    case "P", "Punctuation", "punct": wanted = { punctuation.contains($0.generalCategory) }
    case "S", "Symbol":
      wanted = { [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol].contains($0.generalCategory) }
    case "Z", "Separator":
      wanted = { [.spaceSeparator, .lineSeparator, .paragraphSeparator].contains($0.generalCategory) }
    case "Zs", "Space_Separator": wanted = { $0.generalCategory == .spaceSeparator }
    case "Cc", "Control", "cntrl": wanted = { $0.generalCategory == .control }
    default: return nil
    }
    var ranges: [CodePointSet.Range] = []
    for value in 0...CodePointSet.last {
      guard let scalar = Unicode.Scalar(value), wanted(scalar.properties) else { continue }
      if let last = ranges.last, last.upper + 1 == value {
        ranges[ranges.count - 1].upper = value
      } else {
        ranges.append(.init(lower: value, upper: value))
      }
    }
    return CodePointSet(ranges)
  }

  private static let letters: Set<Unicode.GeneralCategory> = [
    .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
  ]
  private static let punctuation: Set<Unicode.GeneralCategory> = [
    .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
    .finalPunctuation, .otherPunctuation,
  ]
}
