import JSON

/// Reads the arguments of a call in Python's notation: keywords with literals.
///
///     (city='Oslo', days=3, detailed=True, tags=["a", 'b'], **{"x": None})
///
/// Literals are those of Python and JSON: strings in either quotes, numbers, True, False and None in both spellings,
/// lists, tuples and dictionaries.
struct PythonReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The arguments from the opening to the closing parenthesis.
  mutating func arguments() throws(CallObjectError) -> JSONObject {
    var object = JSONObject()
    try expect("(")
    while !take(")") {
      if take("**") {
        guard let more = try value(depth: 0).objectValue else { throw fault("a dictionary must stand behind **") }
        for (key, value) in more.members { object[key] = value }
      } else {
        let key = try keyword()
        guard object[key] == nil else { throw fault("the argument \(key) is given twice") }
        object[key] = try value(depth: 0)
      }
      guard take(",") || peek() == UInt8(ascii: ")") else { throw fault("a comma is missing") }
    }
    return object
  }

  private mutating func keyword() throws(CallObjectError) -> String {
    skipBlanks()
    let start = position
    while position < bytes.count, bytes[position].isToolNameByte || bytes[position] >= 0x80 || bytes[position] == 0x24 {
      position += 1
    }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    guard !name.isEmpty, take("=") else { throw fault("arguments must be given by name, as name=value") }
    return name
  }

  // MARK: Literals

  private static let deepest = 64

  private mutating func value(depth: Int) throws(CallObjectError) -> JSONValue {
    guard depth < PythonReader.deepest else { throw fault("the arguments nest too deeply") }
    switch peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
    case UInt8(ascii: "["): return .array(try items(until: "]", depth: depth))
    case UInt8(ascii: "("): return .array(try items(until: ")", depth: depth))
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    default: return try word()
    }
  }

  private mutating func items(until end: String, depth: Int) throws(CallObjectError) -> [JSONValue] {
    position += 1
    var items: [JSONValue] = []
    while !take(end) {
      items.append(try value(depth: depth + 1))
      guard take(",") || peek() == end.utf8.first else { throw fault("a comma is missing in a list") }
    }
    return items
  }

  private mutating func members(depth: Int) throws(CallObjectError) -> JSONObject {
    position += 1
    var object = JSONObject()
    while !take("}") {
      guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw fault("the key of a dictionary is no string")
      }
      let key = try string()
      try expect(":")
      object[key] = try value(depth: depth + 1)
      guard take(",") || peek() == UInt8(ascii: "}") else { throw fault("a comma is missing in a dictionary") }
    }
    return object
  }

  private mutating func word() throws(CallObjectError) -> JSONValue {
    let start = position
    while position < bytes.count, bytes[position].isToolNameByte || bytes[position] == UInt8(ascii: "+") {
      position += 1
    }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    switch word {
    case "True", "true": return .boolean(true)
    case "False", "false": return .boolean(false)
    case "None", "null": return .null
    default:
      guard let number = try? JSONValue(parsing: PythonReader.number(word)), number.doubleValue != nil else {
        throw fault("\(word.isEmpty ? "a value" : "'\(word)'") is no literal")
      }
      return number
    }
  }

  /// Python's number in JSON's form: no plus, digits on both sides of the point.
  private static func number(_ word: String) -> String {
    var text = word.hasPrefix("+") ? String(word.dropFirst()) : word
    if text.hasPrefix(".") { text = "0" + text }
    if text.hasPrefix("-.") { text = "-0" + text.dropFirst() }
    if text.hasSuffix(".") { text += "0" }
    return text.replacing(".e", with: ".0e")
  }

  private mutating func string() throws(CallObjectError) -> String {
    let quote = bytes[position]
    position += 1
    var units: [UInt16] = []
    var text: [UInt8] = []
    // Escaped halves of surrogate pairs are put together; a lone half becomes U+FFFD.
    func flush() -> [UInt8] { Array(String(decoding: units, as: UTF16.self).utf8) }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == quote { return String(decoding: text + flush(), as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text += flush()
        units = []
        text.append(byte)
        continue
      }
      guard position < bytes.count else { break }
      let escape = bytes[position]
      position += 1
      if escape == UInt8(ascii: "u"), let unit = hexadecimal(4) {
        units.append(UInt16(unit))
        continue
      }
      text += flush()
      units = []
      if escape == UInt8(ascii: "x"), let scalar = hexadecimal(2).flatMap({ Unicode.Scalar($0) }) {
        text += Array(String(Character(scalar)).utf8)
      } else if let plain = PythonReader.escapes[escape] {
        text.append(plain)
      } else if escape != UInt8(ascii: "\n") {
        text += [byte, escape]
      }
    }
    throw fault("a string isn't closed")
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
    UInt8(ascii: "a"): 7, UInt8(ascii: "v"): 11, UInt8(ascii: "0"): 0, UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "/"): UInt8(ascii: "/"),
  ]

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    guard position + count <= bytes.count else { return nil }
    let digits = bytes[position..<(position + count)]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    position += count
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  // MARK: Bytes

  private mutating func skipBlanks() {
    while position < bytes.count, CallOpening.isBlank(bytes[position]) { position += 1 }
  }

  /// The next byte that is no blank.
  private mutating func peek() -> UInt8? {
    skipBlanks()
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ text: String) -> Bool {
    skipBlanks()
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func expect(_ text: String) throws(CallObjectError) {
    guard take(text) else { throw fault("'\(text)' is missing") }
  }

  private func fault(_ reason: String) -> CallObjectError {
    CallObjectError(reason: "the call is not valid: \(reason) (byte \(position + 1) of its arguments)")
  }
}
