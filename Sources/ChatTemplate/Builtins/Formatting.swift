/// Python's two ways of filling a text: `'%s' % x` and `'{}'.format(x)`.
extension Interpreter {
  /// `format % value`.
  func formatted(percent format: Text, _ value: Value) throws(TemplateError) -> Text {
    var positional: [Value] = []
    if case .tuple(let list) = value { positional = list.values } else { positional = [value] }
    var next = 0
    var result = Text()
    var index = 0
    let bytes = format.bytes
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%") else {
        result.append(bytes[index], format.origin(at: index))
        index += 1
        continue
      }
      index += 1
      var named: Value?
      if index < bytes.count, bytes[index] == UInt8(ascii: "(") {
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ")")), case .dictionary(let entries) = value else {
          throw fail(.type, "format requires a mapping")
        }
        named = entries[Array(bytes[index + 1..<end])]
        index = end + 1
      }
      let start = index
      while index < bytes.count, "-+ 0#.123456789".utf8.contains(bytes[index]) { index += 1 }
      guard index < bytes.count else { throw fail(.value, "incomplete format") }
      let specification = String(decoding: bytes[start..<index], as: UTF8.self)
      guard let flags = FormatFlags(percent: specification) else {
        throw fail(.value, "unsupported format '%\(specification)'")
      }
      let letter = bytes[index]
      index += 1
      if letter == UInt8(ascii: "%") {
        result.append(letter, .data)
        continue
      }
      if named == nil {
        guard next < positional.count else { throw fail(.type, "not enough arguments for format string") }
        named = positional[next]
        next += 1
      }
      result.append(try field(named ?? .none, flags, letter))
      try checkSize(result)
    }
    if next < positional.count, !value.isContainerOfItems {
      throw fail(.type, "not all arguments converted during string formatting")
    }
    result.isMarkup = format.isMarkup
    return try made(result)
  }

  /// `format.format(...)`: `{}`, `{0}`, `{name}` with an optional `:` and a plain specification.
  func formatted(braces format: Text, _ arguments: CallArguments) throws(TemplateError) -> Text {
    var result = Text()
    var next = 0
    var index = 0
    let bytes = format.bytes
    while index < bytes.count {
      let byte = bytes[index]
      let isDoubled = index + 1 < bytes.count && bytes[index + 1] == byte
      if byte == UInt8(ascii: "{"), !isDoubled {
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
          throw fail(.value, "expected '}' before end of string")
        }
        let field = String(decoding: bytes[index + 1..<end], as: UTF8.self)
        let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = try argument(String(parts[0]), arguments, &next)
        let specification = parts.count > 1 ? String(parts[1]) : ""
        guard let (flags, letter) = FormatFlags.parse(braces: specification) else {
          throw fail(.value, "unsupported format specifier '\(specification)'")
        }
        result.append(try self.field(value, flags, letter ?? UInt8(ascii: "s")))
        try checkSize(result)
        index = end + 1
        continue
      }
      if byte == UInt8(ascii: "}"), !isDoubled { throw fail(.value, "Single '}' encountered in format string") }
      result.append(byte, format.origin(at: index))
      let isBrace = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
      index += isBrace ? 2 : 1
    }
    return try made(result)
  }

  private func argument(
    _ name: String, _ arguments: CallArguments, _ next: inout Int
  ) throws(TemplateError) -> Value {
    if name.isEmpty || name.utf8.allSatisfy(\.isDigit) {
      let place = name.isEmpty ? next : Int(name) ?? .max
      next += 1
      guard place < arguments.positional.count else {
        throw fail(.value, "Replacement index \(place) out of range for positional args tuple")
      }
      return arguments.positional[place]
    }
    guard let value = arguments.keywords.last(where: { $0.name == name })?.value else {
      throw fail(.value, "format has no argument '\(name)'")
    }
    return value
  }

  private func field(_ value: Value, _ flags: FormatFlags, _ letter: UInt8) throws(TemplateError) -> Text {
    var text: Text
    switch letter {
    case UInt8(ascii: "s"):
      text = try self.text(of: value)
      if let precision = flags.precision { text = text[0..<text.boundaries[min(precision, text.count)]] }
    case UInt8(ascii: "r"): text = try representation(of: value)
    case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "X"):
      guard let number = Number(value), let whole = number.whole ?? BigInteger(number.double) else {
        throw fail(.type, "%\(Unicode.Scalar(letter)) format: a number is required, not \(value.typeName)")
      }
      var digits = whole.description
      if letter | 0x20 == UInt8(ascii: "x"), let small = whole.small {
        digits = String(small, radix: 16, uppercase: letter == UInt8(ascii: "X"))
      }
      text = Text(data: digits)
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
      guard let number = Number(value) else {
        throw fail(.type, "must be real number, not \(value.typeName)")
      }
      let places = flags.precision ?? 6
      guard places <= 100 else { throw fail(.limit, "more than 100 decimals") }
      try step(200 + places * 8)
      text = Text(data: PythonNumber.fixed(number.double, places: places))
    default:
      throw fail(.unsupported, "the format '\(Unicode.Scalar(letter))' isn't supported")
    }
    if flags.showsPlus, Number(value) != nil, text.bytes.first != UInt8(ascii: "-") {
      var signed = Text(data: "+")
      signed.append(text)
      text = signed
    }
    let missing = flags.width - text.count
    guard missing > 0 else { return text }
    if flags.isLeft {
      text.append(try padding(Text(data: " "), missing))
      return text
    }
    var padded = try padding(Text(data: flags.isZeroPadded ? "0" : " "), missing)
    padded.append(text)
    return padded
  }
}

extension Value {
  /// Whether `%` takes the value as a source of named items, which need not all be used.
  fileprivate var isContainerOfItems: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }
}

/// What stands between the sign and the letter of a format.
struct FormatFlags {
  var isLeft = false
  var isZeroPadded = false
  var showsPlus = false
  var width = 0
  var precision: Int?

  /// `nil` when width or precision aren't digits.
  init?(percent text: String) {
    var rest = Substring(text)
    while let first = rest.first, "-+ 0#".contains(first) {
      if first == "-" { isLeft = true }
      if first == "0" { isZeroPadded = true }
      if first == "+" { showsPlus = true }
      rest.removeFirst()
    }
    let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let width = Self.count(parts.first ?? "") else { return nil }
    self.width = width
    guard parts.count > 1 else { return }
    guard let precision = Self.count(parts[1]) else { return nil }
    self.precision = precision
  }

  /// Digits as a number, which other limits keep small; none are 0.
  private static func count(_ digits: Substring) -> Int? {
    guard digits.utf8.allSatisfy(\.isDigit) else { return nil }
    return digits.isEmpty ? 0 : min(Int(digits) ?? 1 << 30, 1 << 30)
  }

  /// The specification after `:` and its letter, if it has one.
  static func parse(braces text: String) -> (FormatFlags, UInt8?)? {
    var text = text
    var letter: UInt8?
    if let last = text.utf8.last, "sdfxX".utf8.contains(last) {
      letter = last
      text.removeLast()
    }
    var isLeft = text.hasPrefix("<") || (!text.isEmpty && letter ?? 115 == 115 && !text.hasPrefix(">"))
    if text.hasPrefix("<") || text.hasPrefix(">") {
      isLeft = text.hasPrefix("<")
      text.removeFirst()
    }
    guard var flags = FormatFlags(percent: text) else { return nil }
    flags.isLeft = isLeft
    return (flags, letter)
  }
}
