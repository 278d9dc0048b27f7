extension JSONValue {
  /// The depth of nesting that is accepted unless said otherwise.
  public static var defaultMaximumDepth: Int { 512 }

  /// What becomes of a `\u` escape that is half of a surrogate pair.
  public enum LoneSurrogates: Sendable {
    /// The text is refused.
    case refuse
    /// U+FFFD stands in its place.
    case replace
  }

  /// Parses `text` as one JSON document (RFC 8259, nothing more: no comments, trailing commas, NaN or byte-order mark).
  ///
  /// ```swift
  /// try JSONValue(parsing: #"[1, 1.5, "\ud83e\udd99"]"#)   // [1, 1.5, "🦙"]
  /// ```
  ///
  /// A number without fraction and exponent becomes `.integer` when it fits `Int`; every other one becomes the nearest
  /// `.double`. Of members with equal keys the last value wins.
  ///
  /// - Parameters:
  ///   - maximumDepth: arrays and objects inside each other; counts as 1024 when larger, so that no text exhausts the stack
  ///     of those who walk over the value.
  ///   - loneSurrogates: what becomes of half a surrogate pair.
  /// - Throws: `JSONError` with position and reason.
  /// - Complexity: linear in the length of the text.
  public init(
    parsing text: String, maximumDepth: Int = defaultMaximumDepth, loneSurrogates: LoneSurrogates = .refuse
  ) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth, loneSurrogates: loneSurrogates)
  }

  /// Parses UTF-8 `bytes` as one JSON document; see ``init(parsing:maximumDepth:loneSurrogates:)-(String,_,_)``.
  public init(
    parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth, loneSurrogates: LoneSurrogates = .refuse
  ) throws(JSONError) {
    var parser = JSONParser(bytes, maximumDepth: maximumDepth, loneSurrogates: loneSurrogates)
    self = try parser.parseValue()
    try parser.expectEnd()
  }

  /// Parses the JSON document with which `bytes` begin, whatever follows it.
  ///
  /// - Returns: the value and the number of bytes up to its end. A number ends before the first byte that cannot belong to it.
  public static func parsePrefix(
    of bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth, loneSurrogates: LoneSurrogates = .refuse
  ) throws(JSONError) -> (value: JSONValue, length: Int) {
    var parser = JSONParser(bytes, maximumDepth: maximumDepth, loneSurrogates: loneSurrogates)
    let value = try parser.parseValue()
    return (value, parser.position)
  }
}

/// A strict parser over bytes; arrays and objects that are still open stand on its own stack, not on the thread's.
struct JSONParser {
  let bytes: [UInt8]
  var position = 0
  let loneSurrogates: JSONValue.LoneSurrogates
  private let maximumDepth: Int
  /// The arrays and objects still open, outermost first.
  private var open: [Container] = []
  /// Finished items of all open containers; each container's own begin at its `firstValue`.
  private var values: [JSONValue] = []
  /// Keys of all open objects.
  private var keys: [String] = []

  private struct Container {
    let isObject: Bool
    let firstValue: Int
    let firstKey: Int
  }

  init(_ bytes: [UInt8], maximumDepth: Int, loneSurrogates: JSONValue.LoneSurrogates) {
    self.bytes = bytes
    self.maximumDepth = min(maximumDepth, 1024)
    self.loneSurrogates = loneSurrogates
  }

  /// The byte at the position; 0, which no token begins with, at the end.
  var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func parseValue() throws(JSONError) -> JSONValue {
    nextValue: while true {
      skipWhitespace()
      var value: JSONValue
      switch current {
      case UInt8(ascii: "{"):
        try openContainer(isObject: true)
        if consume("}") {
          value = closeContainer()
        } else {
          try parseKey()
          continue nextValue
        }
      case UInt8(ascii: "["):
        try openContainer(isObject: false)
        if consume("]") {
          value = closeContainer()
        } else {
          continue nextValue
        }
      default:
        value = try parseScalar()
      }
      // `value` is complete: hand it to the container around it, and that one further out as long as they end here.
      while let container = open.last {
        values.append(value)
        skipWhitespace()
        if consume(",") {
          skipWhitespace()
          if container.isObject { try parseKey() }
          continue nextValue
        }
        guard consume(container.isObject ? "}" : "]") else {
          throw unexpected(expected: container.isObject ? "',' or '}'" : "',' or ']'")
        }
        value = closeContainer()
      }
      return value
    }
  }

  mutating func expectEnd() throws(JSONError) {
    skipWhitespace()
    if position < bytes.count { throw error(.trailingText) }
  }

  private mutating func openContainer(isObject: Bool) throws(JSONError) {
    guard open.count < maximumDepth else { throw error(.tooDeep(limit: maximumDepth)) }
    open.append(Container(isObject: isObject, firstValue: values.count, firstKey: keys.count))
    position += 1
    skipWhitespace()
  }

  /// Takes the innermost container off the stack, with its items.
  private mutating func closeContainer() -> JSONValue {
    let container = open.removeLast()
    // Copies, not slices: a slice alive during the removal would make it copy everything that stays.
    let items = Array(values[container.firstValue...])
    values.removeSubrange(container.firstValue...)
    guard container.isObject else { return .array(items) }
    let names = Array(keys[container.firstKey...])
    keys.removeSubrange(container.firstKey...)
    return .object(JSONObject(zip(names, items)))
  }

  private mutating func parseKey() throws(JSONError) {
    guard current == UInt8(ascii: "\"") else { throw unexpected(expected: "a key in quotes") }
    keys.append(try parseString())
    skipWhitespace()
    guard consume(":") else { throw unexpected(expected: "':'") }
  }

  private mutating func parseScalar() throws(JSONError) -> JSONValue {
    switch current {
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    case UInt8(ascii: "t") where consume("true"): return .boolean(true)
    case UInt8(ascii: "f") where consume("false"): return .boolean(false)
    case UInt8(ascii: "n") where consume("null"): return .null
    default: throw unexpected(expected: "a value")
    }
  }

  private mutating func skipWhitespace() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      default: return
      }
    }
  }

  /// Steps over `word` if the text goes on with it.
  private mutating func consume(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard bytes.count - position >= length else { return false }
    // A static string's `length` bytes outlive the program.
    for index in 0..<length where bytes[position + index] != word.utf8Start[index] { return false }
    position += length
    return true
  }

  func error(_ reason: JSONError.Reason, at offset: Int? = nil) -> JSONError {
    JSONError(reason, at: offset ?? position, in: bytes)
  }

  /// The error for what stands at the position.
  func unexpected(expected: String) -> JSONError {
    guard position < bytes.count else { return error(.unexpectedEnd(expected: expected)) }
    let character = String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars.first
    return error(.unexpected(character ?? "\u{FFFD}", expected: expected))
  }
}
