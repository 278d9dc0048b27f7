/// Values as Python prints them.
extension Interpreter {
  /// `str(value)`: what printing the value shows.
  func text(of value: Value) throws(TemplateError) -> Text {
    switch value {
    case .string(let text): return text
    case .undefined: return Text()
    case .integer(let number): return Text(data: String(number))
    case .none: return Text(data: "None")
    default:
      let text = try representation(of: value)
      return text
    }
  }

  /// `repr(value)`: text in quotes, containers spelled out.
  func representation(of value: Value) throws(TemplateError) -> Text {
    var result = Text()
    try represent(value, depth: 0, into: &result)
    return try made(result)
  }

  private func represent(_ value: Value, depth: Int, into result: inout Text) throws(TemplateError) {
    try step()
    guard depth <= limits.valueDepth else { throw fail(.limit, "this value nests too deeply to be printed") }
    switch value {
    case .undefined: result.append("Undefined".utf8, .data)
    case .none: result.append("None".utf8, .data)
    case .boolean(let flag): result.append((flag ? "True" : "False").utf8, .data)
    case .integer(let number): result.append(String(number).utf8, .data)
    case .big(let number): result.append(number.description.utf8, .data)
    case .double(let number): result.append(PythonNumber.text(number).utf8, .data)
    case .string(let text):
      try step(text.bytes.count >> 4)
      // An escape takes up to four bytes for one.
      try checkRoom(text.bytes.count * 4)
      result.appendQuoted(text)
    case .list(let list): try represent(list.values, "[", "]", depth, into: &result)
    case .tuple(let list): try represent(list.values, "(", list.values.count == 1 ? ",)" : ")", depth, into: &result)
    case .view(let view):
      result.append("\(view.kind.rawValue)(".utf8, .data)
      try represent(view.items.values, "[", "])", depth, into: &result)
    case .dictionary(let dictionary):
      try represent(Array(zip(dictionary.keys, dictionary.values)), "{", "}", depth, into: &result)
    case .namespace(let namespace):
      let entries = namespace.members.map { (Value.string(Text(bytes: $0.name, origin: .data)), $0.value) }
      try represent(entries, "<Namespace {", "}>", depth, into: &result)
    case .range(let range):
      result.append("range(\(range.start), \(range.stop)\(range.step == 1 ? "" : ", \(range.step)"))".utf8, .data)
    case .iterator: result.append("<generator object>".utf8, .data)
    case .loop(let loop): result.append("<LoopContext \(loop.index)>".utf8, .data)
    case .callable(let callable): result.append("<function \(callable.name)>".utf8, .data)
    }
  }

  private func represent(
    _ values: [Value], _ open: String, _ close: String, _ depth: Int, into result: inout Text
  ) throws(TemplateError) {
    result.append(open.utf8, .data)
    for (index, value) in values.enumerated() {
      if index > 0 { result.append(", ".utf8, .data) }
      try represent(value, depth: depth + 1, into: &result)
    }
    result.append(close.utf8, .data)
    try checkSize(result)
  }

  private func represent(
    _ entries: [(Value, Value)], _ open: String, _ close: String, _ depth: Int, into result: inout Text
  ) throws(TemplateError) {
    result.append(open.utf8, .data)
    for (index, (key, value)) in entries.enumerated() {
      if index > 0 { result.append(", ".utf8, .data) }
      try represent(key, depth: depth + 1, into: &result)
      result.append(": ".utf8, .data)
      try represent(value, depth: depth + 1, into: &result)
    }
    result.append(close.utf8, .data)
    try checkSize(result)
  }

  /// The text with escapes for HTML, refused before it grows beyond the budget.
  func escaped(_ text: Text) throws(TemplateError) -> Text {
    let special = text.bytes.count { "&<>\"'".utf8.contains($0) }
    try checkRoom(text.bytes.count + special * 20)
    return text.escaped
  }

  func checkRoom(_ bytes: Int) throws(TemplateError) {
    if !hasRoom(for: bytes) { try allocate(.max) }
  }

  /// Ends a text that is still being built when it passes what may be created at all.
  func checkSize(_ text: Text) throws(TemplateError) {
    if !hasRoom(for: text.cost) { try allocate(.max) }
  }
}

extension Text {
  /// Adds `text` in quotes as Python's `repr` writes it: double quotes only where single ones occur and double ones don't.
  mutating func appendQuoted(_ text: Text) {
    let single = UInt8(ascii: "'")
    let double = UInt8(ascii: "\"")
    let quote = text.bytes.contains(single) && !text.bytes.contains(double) ? double : single
    append(quote, .data)
    for (scalar, range) in text.scalars {
      switch scalar {
      case "\\": append("\\\\".utf8, .data)
      case "\n": append("\\n".utf8, .data)
      case "\r": append("\\r".utf8, .data)
      case "\t": append("\\t".utf8, .data)
      default:
        if scalar.value == UInt32(quote) {
          append([UInt8(ascii: "\\"), quote], .data)
        } else if scalar.isPythonPrintable {
          append(text, range)
        } else {
          append(scalar.pythonEscape.utf8, .data)
        }
      }
    }
    append(quote, .data)
  }

  /// The text with the characters that HTML gives a meaning replaced, marked as ready for HTML.
  var escaped: Text {
    var result = Text()
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "&"): result.append("&amp;".utf8, .data)
      case UInt8(ascii: "<"): result.append("&lt;".utf8, .data)
      case UInt8(ascii: ">"): result.append("&gt;".utf8, .data)
      case UInt8(ascii: "\""): result.append("&#34;".utf8, .data)
      case UInt8(ascii: "'"): result.append("&#39;".utf8, .data)
      default: result.append(byte, origin(at: index))
      }
    }
    result.isMarkup = true
    return result
  }
}

extension Unicode.Scalar {
  /// Whether `repr` shows the scalar itself.
  fileprivate var isPythonPrintable: Bool {
    if isASCII { return value >= 0x20 && value != 0x7F }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator:
      return false
    default: return true
    }
  }

  fileprivate var pythonEscape: String {
    let digits = String(value, radix: 16)
    func padded(_ width: Int) -> String { String(repeating: "0", count: max(0, width - digits.count)) + digits }
    switch value {
    case ..<0x100: return "\\x" + padded(2)
    case ..<0x10000: return "\\u" + padded(4)
    default: return "\\U" + padded(8)
    }
  }
}
