extension JSONValue {
  /// The value without any whitespace: `{"a":[1,2]}`.
  public var compact: String { text(.compact) }

  /// The value exactly as Python's `json.dumps(value, ensure_ascii=False)` prints it: `{"a": [1, 2]}`.
  public var spaced: String { text(.spaced) }

  /// The value laid out in `style`.
  ///
  /// Floating-point numbers are written with the fewest digits that read back as the same number, in Python's form;
  /// NaN and the infinities, which JSON does not have, as `null`.
  public func text(_ style: JSONStyle) -> String {
    var writer = JSONWriter(style)
    writer.write(self, depth: 0)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// Collects the UTF-8 bytes of a document.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let style: JSONStyle

  init(_ style: JSONStyle) {
    self.style = style
  }

  mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: append("null")
    case .boolean(let value): append(value ? "true" : "false")
    case .integer(let value): append(String(value))
    case .double(let value): append(value.isFinite ? value.shortestDecimal : "null")
    case .string(let text): write(text)
    case .array(let items):
      writeContainer("[", "]", count: items.count, depth: depth) { writer, index in
        writer.write(items[index], depth: depth + 1)
      }
    case .object(let object):
      let members =
        style.sortsKeys ? object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : object.members
      writeContainer("{", "}", count: members.count, depth: depth) { writer, index in
        writer.write(members[index].key)
        writer.append(writer.style.keySeparator)
        writer.write(members[index].value, depth: depth + 1)
      }
    }
  }

  private mutating func writeContainer(
    _ opening: String, _ closing: String, count: Int, depth: Int, item: (inout JSONWriter, Int) -> Void
  ) {
    append(opening)
    for index in 0..<count {
      if index > 0 { append(style.itemSeparator) }
      startLine(depth: depth + 1)
      item(&self, index)
    }
    if count > 0 { startLine(depth: depth) }
    append(closing)
  }

  private mutating func startLine(depth: Int) {
    guard let indent = style.indent else { return }
    append("\n")
    for _ in 0..<depth { append(indent) }
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes `text` in quotes, with the escapes that Python chooses.
  private mutating func write(_ text: String) {
    append("\"")
    if style.escapesNonASCII {
      for unit in text.utf16 { writeEscaped(unit, isPlain: (0x20...0x7E).contains(unit)) }
    } else {
      for byte in text.utf8 { writeEscaped(UInt16(byte), isPlain: byte >= 0x20) }
    }
    append("\"")
  }

  /// Writes a code unit as it is when it `isPlain` and no quote or backslash, else as an escape.
  private mutating func writeEscaped(_ unit: UInt16, isPlain: Bool) {
    switch unit {
    case 0x22: append("\\\"")
    case 0x5C: append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0A: append("\\n")
    case 0x0C: append("\\f")
    case 0x0D: append("\\r")
    case _ where isPlain: bytes.append(UInt8(truncatingIfNeeded: unit))
    default:
      append("\\u")
      for shift in [12, 8, 4, 0] as [UInt16] {
        let digit = UInt8(unit >> shift & 0xF)
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
