/// The methods of Python's `str` that templates use.
extension Method {
  static let ofTexts = table(shapeMethods + searchMethods + splitMethods + paddingMethods + characterMethods)

  /// A method whose receiver is a text.
  private static func text(
    _ name: String, _ parameters: [String]? = [],
    _ body: @escaping @Sendable (Interpreter, Text, BoundArguments) throws(TemplateError) -> Value
  ) -> Method {
    Method(name, parameters) { (run, value, given) throws(TemplateError) in
      guard case .string(let text) = value else { return .none }
      try run.allocate(text.cost + 32)
      return try body(run, text, given)
    }
  }

  /// The argument as a text; `nil` when absent or none.
  private static func optionalText(
    _ run: Interpreter, _ value: Value?, _ name: String
  ) throws(TemplateError) -> Text? {
    switch value {
    case .string(let text): return text
    case nil, .some(.none): return nil
    case .undefined(let undefined): throw run.fail(undefined)
    case .some(let other): throw run.fail(.type, "\(name) must be str, not \(other.typeName)")
    }
  }

  private static func requiredText(_ run: Interpreter, _ value: Value?, _ name: String) throws(TemplateError) -> Text {
    guard let text = try optionalText(run, value, name) else { throw run.fail(.type, "\(name) must be str") }
    return text
  }

  private static func integer(
    _ run: Interpreter, _ value: Value?, _ name: String, default fallback: Int
  ) throws(TemplateError) -> Int {
    guard let value else { return fallback }
    guard let number = value.index else { throw run.fail(.type, "\(name) must be an integer") }
    return number
  }

  private static func limit(_ run: Interpreter, _ value: Value?) throws(TemplateError) -> Int {
    let limit = try integer(run, value, "the limit", default: -1)
    return limit < 0 ? .max : limit
  }

  private static let shapeMethods: [Method] = [
    text("strip", ["chars"]) { (run, text, given) throws(TemplateError) in
      .string(text.stripped(.both, of: try optionalText(run, given[0], "strip's argument")))
    },
    text("lstrip", ["chars"]) { (run, text, given) throws(TemplateError) in
      .string(text.stripped(.leading, of: try optionalText(run, given[0], "lstrip's argument")))
    },
    text("rstrip", ["chars"]) { (run, text, given) throws(TemplateError) in
      .string(text.stripped(.trailing, of: try optionalText(run, given[0], "rstrip's argument")))
    },
    text("upper") { (_, text, _) throws(TemplateError) in .string(text.uppercased()) },
    text("lower") { (_, text, _) throws(TemplateError) in .string(text.lowercased()) },
    text("casefold") { (_, text, _) throws(TemplateError) in .string(text.lowercased()) },
    text("title") { (_, text, _) throws(TemplateError) in .string(text.titlecased()) },
    text("capitalize") { (_, text, _) throws(TemplateError) in .string(text.capitalized()) },
    text("swapcase") { (_, text, _) throws(TemplateError) in .string(text.swappingCase()) },
    text("removeprefix", ["prefix"]) { (run, text, given) throws(TemplateError) in
      let prefix = try requiredText(run, given[0], "the prefix")
      return .string(text.hasPrefix(prefix) ? text[prefix.bytes.count..<text.bytes.count] : text)
    },
    text("removesuffix", ["suffix"]) { (run, text, given) throws(TemplateError) in
      let suffix = try requiredText(run, given[0], "the suffix")
      return .string(text.hasSuffix(suffix) ? text[0..<text.bytes.count - suffix.bytes.count] : text)
    },
    text("replace", ["old", "new", "count"]) { (run, text, given) throws(TemplateError) in
      .string(
        try run.replacing(
          text, try requiredText(run, given[0], "the old text"), try requiredText(run, given[1], "the new text"),
          limit: try limit(run, given[2])))
    },
    text("join", ["iterable"]) { (run, separator, given) throws(TemplateError) in
      var result = Text()
      for (index, item) in try run.items(of: given[0] ?? .none).enumerated() {
        guard case .string(let part) = item else {
          throw run.fail(.type, "sequence item \(index): expected str instance, \(item.typeName) found")
        }
        if index > 0 { result.append(separator) }
        result.append(part)
        try run.checkSize(result)
      }
      return .string(try run.made(result))
    },
    text("format", nil) { (run, text, given) throws(TemplateError) in
      .string(try run.formatted(braces: text, given.all))
    },
  ]

  private static let searchMethods: [Method] = [
    text("startswith", ["prefix", "start", "end"]) { (run, text, given) throws(TemplateError) in
      let part = try run.part(text, given)
      return .boolean(try affixes(run, given[0]).contains { part.hasPrefix($0) })
    },
    text("endswith", ["suffix", "start", "end"]) { (run, text, given) throws(TemplateError) in
      let part = try run.part(text, given)
      return .boolean(try affixes(run, given[0]).contains { part.hasSuffix($0) })
    },
    text("find", ["sub", "start"]) { (run, text, given) throws(TemplateError) in
      .integer(try find(run, text, given) ?? -1)
    },
    text("rfind", ["sub"]) { (run, text, given) throws(TemplateError) in
      let part = try requiredText(run, given[0], "the text to find")
      let place = text.lastIndex(of: part.bytes, before: text.bytes.count)
      return .integer(place.map { text[0..<$0].count } ?? -1)
    },
    text("index", ["sub", "start"]) { (run, text, given) throws(TemplateError) in
      guard let index = try find(run, text, given) else { throw run.fail(.value, "substring not found") }
      return .integer(index)
    },
    text("count", ["sub"]) { (run, text, given) throws(TemplateError) in
      .integer(text.occurrences(of: try requiredText(run, given[0], "the text to count")))
    },
  ]

  private static func find(_ run: Interpreter, _ text: Text, _ given: BoundArguments) throws(TemplateError) -> Int? {
    let part = try requiredText(run, given[0], "the text to find")
    let start = try integer(run, given[1], "start", default: 0)
    let first = start < 0 ? max(0, start &+ text.count) : start
    guard first <= text.count, let place = text.firstIndex(of: part.bytes, from: text.offset(ofScalar: first)) else {
      return nil
    }
    return text[0..<place].count
  }

  private static func affixes(_ run: Interpreter, _ value: Value?) throws(TemplateError) -> [Text] {
    guard case .tuple(let list) = value else { return [try requiredText(run, value, "the affix")] }
    var texts: [Text] = []
    for item in list.values { texts.append(try requiredText(run, item, "the affix")) }
    return texts
  }

  private static let splitMethods: [Method] = [
    text("split", ["sep", "maxsplit"]) { (run, text, given) throws(TemplateError) in
      try split(run, text, given, fromEnd: false)
    },
    text("rsplit", ["sep", "maxsplit"]) { (run, text, given) throws(TemplateError) in
      try split(run, text, given, fromEnd: true)
    },
    text("splitlines", ["keepends"]) { (run, text, given) throws(TemplateError) in
      try run.allocate(text.string.unicodeScalars.count { $0.isPythonLineBoundary } * Interpreter.costOfPart)
      let lines = text.lines(keepingEnds: given[0]?.isTrue ?? false)
      return .list(try run.list(lines.map { .string($0) }))
    },
    text("partition", ["sep"]) { (run, text, given) throws(TemplateError) in
      let separator = try requiredText(run, given[0], "the separator")
      guard !separator.isEmpty else { throw run.fail(.value, "empty separator") }
      guard let place = text.firstIndex(of: separator.bytes) else {
        return .tuple([.string(text), .string(Text()), .string(Text())])
      }
      let after = place + separator.bytes.count
      return .tuple([
        .string(text[0..<place]), .string(separator), .string(text[after..<text.bytes.count]),
      ])
    },
    text("rpartition", ["sep"]) { (run, text, given) throws(TemplateError) in
      let separator = try requiredText(run, given[0], "the separator")
      guard !separator.isEmpty else { throw run.fail(.value, "empty separator") }
      guard let place = text.lastIndex(of: separator.bytes, before: text.bytes.count) else {
        return .tuple([.string(Text()), .string(Text()), .string(text)])
      }
      let after = place + separator.bytes.count
      return .tuple([
        .string(text[0..<place]), .string(separator), .string(text[after..<text.bytes.count]),
      ])
    },
  ]

  private static func split(
    _ run: Interpreter, _ text: Text, _ given: BoundArguments, fromEnd: Bool
  ) throws(TemplateError) -> Value {
    let most = try limit(run, given[1])
    guard let separator = try optionalText(run, given[0], "the separator") else {
      try run.allocate(text.wordCount * Interpreter.costOfPart)
      return .list(try run.list(text.words(limit: most, fromEnd: fromEnd).map { .string($0) }))
    }
    guard !separator.isEmpty else { throw run.fail(.value, "empty separator") }
    try run.allocate(min(text.occurrences(of: separator), most) * Interpreter.costOfPart)
    return .list(try run.list(text.split(separator: separator, limit: most, fromEnd: fromEnd).map { .string($0) }))
  }

  private static let paddingMethods: [Method] = [
    text("zfill", ["width"]) { (run, text, given) throws(TemplateError) in
      let width = try integer(run, given[0], "the width", default: 0)
      let sign = text.bytes.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } ?? false
      var result = sign ? text[0..<1] : Text()
      result.append(try run.padding(Text(data: "0"), width - text.count))
      result.append(text[(sign ? 1 : 0)..<text.bytes.count])
      return .string(result)
    },
    text("center", ["width", "fillchar"]) { (run, text, given) throws(TemplateError) in
      .string(try run.centered(text, try integer(run, given[0], "the width", default: 0), try fill(run, given[1])))
    },
    text("ljust", ["width", "fillchar"]) { (run, text, given) throws(TemplateError) in
      var result = text
      let width = try integer(run, given[0], "the width", default: 0)
      result.append(try run.padding(try fill(run, given[1]), width - text.count))
      return .string(result)
    },
    text("rjust", ["width", "fillchar"]) { (run, text, given) throws(TemplateError) in
      let width = try integer(run, given[0], "the width", default: 0)
      var result = try run.padding(try fill(run, given[1]), width - text.count)
      result.append(text)
      return .string(result)
    },
  ]

  private static func fill(_ run: Interpreter, _ value: Value?) throws(TemplateError) -> Text {
    try optionalText(run, value, "the fill character") ?? Text(data: " ")
  }

  private static let characterMethods: [Method] = [
    every("isdigit") { $0.properties.numericType == .digit || $0.properties.numericType == .decimal },
    every("isdecimal") { $0.properties.numericType == .decimal },
    every("isnumeric") { $0.properties.numericType != nil },
    every("isalpha") { $0.isPythonLetter },
    every("isalnum") { $0.isPythonLetter || $0.properties.numericType != nil },
    every("isspace") { $0.isPythonSpace },
    text("isascii") { (_, text, _) throws(TemplateError) in .boolean(text.bytes.allSatisfy { $0 < 0x80 }) },
    text("isupper") { (_, text, _) throws(TemplateError) in
      let cased = text.string.unicodeScalars.filter(\.properties.isCased)
      return .boolean(!cased.isEmpty && cased.allSatisfy(\.properties.isUppercase))
    },
    text("islower") { (_, text, _) throws(TemplateError) in
      let cased = text.string.unicodeScalars.filter(\.properties.isCased)
      return .boolean(!cased.isEmpty && cased.allSatisfy(\.properties.isLowercase))
    },
  ]

  private static func every(_ name: String, _ holds: @escaping @Sendable (Unicode.Scalar) -> Bool) -> Method {
    text(name) { (_, text, _) throws(TemplateError) in
      .boolean(!text.isEmpty && text.string.unicodeScalars.allSatisfy(holds))
    }
  }
}

extension Unicode.Scalar {
  /// Whether Python's `str.isalpha` holds.
  var isPythonLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }
}

extension Interpreter {
  /// `text` between the optional bounds of `startswith` and `endswith`.
  func part(_ text: Text, _ given: BoundArguments) throws(TemplateError) -> Text {
    guard given[1] != nil || given[2] != nil else { return text }
    let part = try slice(.string(text), start: given[1] ?? .none, stop: given[2] ?? .none, step: .none)
    guard case .string(let result) = part else { return text }
    return result
  }

  /// `fill` repeated `count` times.
  func padding(_ fill: Text, _ count: Int) throws(TemplateError) -> Text {
    var result = Text()
    guard count > 0 else { return result }
    let (total, overflow) = count.multipliedReportingOverflow(by: fill.bytes.count)
    try allocate(overflow ? .max : total)
    for _ in 0..<count { result.append(fill) }
    return result
  }

  /// `text` in the middle of `width`, as Python's `str.center` places it.
  func centered(_ text: Text, _ width: Int, _ fill: Text) throws(TemplateError) -> Text {
    let (total, overflow) = width.subtractingReportingOverflow(text.count)
    guard !overflow, total > 0 else { return text }
    let left = total / 2 + (total & width & 1)
    var result = try padding(fill, left)
    result.append(text)
    result.append(try padding(fill, total - left))
    return result
  }

  /// `text` with `old` replaced, refused before it grows beyond the budget.
  func replacing(_ text: Text, _ old: Text, _ new: Text, limit: Int) throws(TemplateError) -> Text {
    if new.bytes.count > old.bytes.count {
      let count = min(text.occurrences(of: old), limit)
      let (growth, overflow) = count.multipliedReportingOverflow(by: new.bytes.count)
      try allocate(overflow ? .max : growth)
    }
    return try made(text.replacing(old, with: new, limit: limit))
  }
}
