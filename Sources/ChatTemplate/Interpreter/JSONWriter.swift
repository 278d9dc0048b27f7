/// Writes values as Python's `json.dumps` does; what comes from the strings of a value keeps its origin.
struct JSONWriter {
  /// What is put before each nested item on a line of its own; `nil` writes one line.
  var indent: Text?
  var escapesNonASCII = false
  var sortsKeys = false
  var itemSeparator = Text(data: ", ")
  var keySeparator = Text(data: ": ")

  private var result = Text()

  init() {}

  /// The text of `value`.
  mutating func write(_ value: Value, _ run: Interpreter) throws(TemplateError) -> Text {
    result = Text()
    try write(value, level: 0, run)
    return try run.made(result)
  }

  private mutating func write(_ value: Value, level: Int, _ run: Interpreter) throws(TemplateError) {
    try run.step()
    switch value {
    case .none: append("null")
    case .boolean(let flag): append(flag ? "true" : "false")
    case .integer(let number): append(String(number))
    case .big(let number): append(number.description)
    case .double(let number): append(JSONWriter.text(of: number))
    case .string(let text):
      try run.step(text.bytes.count >> 4)
      try write(text, run)
    case .list(let list), .tuple(let list): try write(list.values, level: level, run)
    case .dictionary(let dictionary): try write(dictionary, level: level, run)
    // Python refuses generators; templates in the field rely on engines that write them as lists.
    case .iterator(let iterator): try write(iterator.takeRest(), level: level, run)
    case .view(let view): try write(view.items.values, level: level, run)
    default: throw run.fail(.type, "Object of type \(value.typeName) is not JSON serializable")
    }
  }

  private static func text(of number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return PythonNumber.text(number)
  }

  private mutating func append(_ string: String) { result.append(string.utf8, .data) }

  private mutating func newLine(_ level: Int) {
    guard let indent else { return }
    append("\n")
    for _ in 0..<level { result.append(indent) }
  }

  private mutating func write(_ items: [Value], level: Int, _ run: Interpreter) throws(TemplateError) {
    if items.isEmpty { return append("[]") }
    append("[")
    for (index, item) in items.enumerated() {
      if index > 0 { result.append(itemSeparator) }
      newLine(level + 1)
      try write(item, level: level + 1, run)
    }
    newLine(level)
    append("]")
    try run.checkSize(result)
  }

  private mutating func write(_ object: ValueDictionary, level: Int, _ run: Interpreter) throws(TemplateError) {
    if object.count == 0 { return append("{}") }
    append("{")
    var order = Array(object.keys.indices)
    if sortsKeys {
      order = try run.sorted(order) { (a, b) throws(TemplateError) in try run.precedes(object.keys[a], object.keys[b]) }
    }
    for (place, index) in order.enumerated() {
      if place > 0 { result.append(itemSeparator) }
      newLine(level + 1)
      switch object.keys[index] {
      case .string(let key): try write(key, run)
      case .none: append("\"null\"")
      case .boolean(let flag): append(flag ? "\"true\"" : "\"false\"")
      default: try write(try run.text(of: object.keys[index]), run)
      }
      result.append(keySeparator)
      try write(object.values[index], level: level + 1, run)
    }
    newLine(level)
    append("}")
    try run.checkSize(result)
  }

  private mutating func write(_ text: Text, _ run: Interpreter) throws(TemplateError) {
    append("\"")
    var start = 0
    for (index, byte) in text.bytes.enumerated() {
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || (byte >= 0x80 && escapesNonASCII)
      else { continue }
      result.append(text, start..<index)
      start = index + 1
      try run.checkSize(result)
      if byte >= 0x80 {
        if Text.isBoundary(byte) { appendEscape(of: text.scalar(at: index).0) }
      } else {
        append(JSONWriter.escape(byte))
      }
    }
    result.append(text, start..<text.bytes.count)
    append("\"")
  }

  private static func escape(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): return "\\\""
    case UInt8(ascii: "\\"): return "\\\\"
    case 0x08: return "\\b"
    case 0x0C: return "\\f"
    case 0x0A: return "\\n"
    case 0x0D: return "\\r"
    case 0x09: return "\\t"
    default: return unit(UInt16(byte))
    }
  }

  private static func unit(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private mutating func appendEscape(of scalar: Unicode.Scalar) {
    for unit in UTF16.encode(scalar) ?? .init() { append(JSONWriter.unit(unit)) }
  }
}
