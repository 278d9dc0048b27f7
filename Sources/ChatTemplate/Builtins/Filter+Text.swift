extension Filter {
  static let textFilters: [String: Filter] = [
    "string": Filter { (run, value, _) throws(TemplateError) in .string(try run.text(of: value)) },
    "upper": Filter { (run, value, _) throws(TemplateError) in try run.string(run.text(of: value).uppercased()) },
    "lower": Filter { (run, value, _) throws(TemplateError) in try run.string(run.text(of: value).lowercased()) },
    "capitalize": Filter { (run, value, _) throws(TemplateError) in
      try run.string(run.text(of: value).capitalized())
    },
    "title": Filter { (run, value, _) throws(TemplateError) in
      let text = try run.text(of: value)
      try run.allocate(text.wordCount * Interpreter.costOfPart)
      return try run.string(title(text))
    },
    "trim": Filter(["chars"]) { (run, value, given) throws(TemplateError) in
      var set: Text?
      if let chars = given[0], !chars.isNone { set = try run.text(of: chars) }
      return try run.string(run.text(of: value).stripped(.both, of: set))
    },
    "replace": Filter(["old", "new", "count"]) { (run, value, given) throws(TemplateError) in
      let count = given[2].flatMap { $0.isNone ? nil : $0 }
      let limit = try run.integer(count, "count", default: -1)
      return .string(
        try run.replacing(
          try run.text(of: value), try run.text(given[0]), try run.text(given[1]), limit: limit < 0 ? .max : limit))
    },
    "indent": Filter(["width", "first", "blank"]) { (run, value, given) throws(TemplateError) in
      guard case .string(let text) = value else { throw run.fail(.type, "indent needs str, not \(value.typeName)") }
      var margin = Text()
      if case .string(let own) = given[0] {
        margin = own
      } else {
        margin = try run.padding(Text(data: " "), try run.integer(given[0], "width", default: 4))
      }
      return .string(
        try indented(run, text, by: margin, first: given[1]?.isTrue ?? false, blank: given[2]?.isTrue ?? false))
    },
    "center": Filter(["width"]) { (run, value, given) throws(TemplateError) in
      let width = try run.integer(given[0], "width", default: 80)
      return .string(try run.centered(try run.text(of: value), width, Text(data: " ")))
    },
    "truncate": Filter(["length", "killwords", "end", "leeway"]) { (run, value, given) throws(TemplateError) in
      let length = try run.integer(given[0], "length", default: 255)
      let end = try run.text(given[2], default: "...")
      let leeway = try run.integer(given[3], "leeway", default: 5)
      guard length >= end.count, leeway >= 0 else { throw run.fail(.value, "length and leeway are too small") }
      guard let count = try Filter.length(run, value).index else { return value }
      if count <= length || count - length <= leeway { return value }
      guard case .string(let text) = value else { throw run.fail(.type, "truncate needs str, not \(value.typeName)") }
      var result = text[0..<text.boundaries[length - end.count]]
      if !(given[1]?.isTrue ?? false) {
        result = result.split(separator: Text(data: " "), limit: 1, fromEnd: true)[0]
      }
      result.append(end)
      return try run.string(result)
    },
    "wordwrap": Filter(["width", "break_long_words", "wrapstring", "break_on_hyphens"]) {
      (run, value, given) throws(TemplateError) in
      let width = try run.integer(given[0], "width", default: 79)
      guard width > 0 else { throw run.fail(.value, "width must be greater than 0") }
      let separator = try given[2].map { (value) throws(TemplateError) in try run.text(of: value) } ?? Text(data: "\n")
      guard case .string(let text) = value else { throw run.fail(.type, "wordwrap needs str, not \(value.typeName)") }
      try run.allocate(text.wordCount * 2 * Interpreter.costOfPart + text.bytes.count)
      return try run.string(wrapped(text, width, separator))
    },
    "wordcount": Filter { (run, value, _) throws(TemplateError) in
      var count = 0
      var inWord = false
      for scalar in try run.text(of: value).string.unicodeScalars {
        let isWord = scalar.isPythonLetter || scalar.properties.numericType != nil || scalar == "_"
        if isWord, !inWord { count += 1 }
        inWord = isWord
      }
      return .integer(count)
    },
    "escape": Filter { (run, value, _) throws(TemplateError) in
      let text = try run.text(of: value)
      return try run.string(text.isMarkup ? text : try run.escaped(text))
    },
    "e": Filter { (run, value, _) throws(TemplateError) in
      let text = try run.text(of: value)
      return try run.string(text.isMarkup ? text : try run.escaped(text))
    },
    "forceescape": Filter { (run, value, _) throws(TemplateError) in
      try run.string(try run.escaped(try run.text(of: value)))
    },
    "safe": Filter { (run, value, _) throws(TemplateError) in
      var text = try run.text(of: value)
      text.isMarkup = true
      return .string(text)
    },
    "striptags": Filter { (run, value, _) throws(TemplateError) in
      let text = try run.text(of: value)
      try run.allocate(text.wordCount * Interpreter.costOfPart)
      return try run.string(withoutTags(text))
    },
    "urlencode": Filter { (run, value, _) throws(TemplateError) in
      if case .dictionary(let dictionary) = value {
        var result = Text()
        for (index, (key, value)) in zip(dictionary.keys, dictionary.values).enumerated() {
          if index > 0 { result.append("&".utf8, .data) }
          result.append(percentEncoded(try run.text(of: key), keepingSlash: false))
          result.append("=".utf8, .data)
          result.append(percentEncoded(try run.text(of: value), keepingSlash: false))
        }
        return try run.string(result)
      }
      let text = try run.text(of: value)
      try run.allocate(text.bytes.count * 3)
      return try run.string(percentEncoded(text, keepingSlash: true))
    },
    "format": Filter(nil) { (run, value, given) throws(TemplateError) in
      let format = try run.text(of: value)
      if given.all.keywords.isEmpty {
        return .string(try run.formatted(percent: format, .tuple(try run.list(given.all.positional))))
      }
      let names = ValueDictionary()
      for (name, value) in given.all.keywords { names.set(name, value) }
      return .string(try run.formatted(percent: format, .dictionary(names)))
    },
    "pprint": Filter { (run, value, _) throws(TemplateError) in
      .string(try run.representation(of: try run.sortedByKey(value, depth: 0)))
    },
  ]

  /// Jinja's own title case: a letter is capital after white space, a dash or an opening bracket.
  private static func title(_ text: Text) -> Text {
    var result = Text()
    let opening: Set<Unicode.Scalar> = ["-", "(", "{", "[", "<"]
    var start = 0
    var word = 0..<0
    func flush(_ end: Int) {
      word = start..<end
      guard !word.isEmpty else { return }
      let width = text.scalar(at: start).1
      result.append(text[start..<start + width].uppercased())
      result.append(text[start + width..<end].lowercased())
    }
    for (scalar, range) in text.scalars where scalar.isPythonSpace || opening.contains(scalar) {
      flush(range.lowerBound)
      result.append(text, range)
      start = range.upperBound
    }
    flush(text.bytes.count)
    return result
  }

  private static func indented(
    _ run: Interpreter, _ text: Text, by margin: Text, first: Bool, blank: Bool
  ) throws(TemplateError) -> Text {
    var ended = text
    ended.append("\n".utf8, .data)
    try run.allocate(ended.occurrences(of: Text(data: "\n")) * Interpreter.costOfPart)
    let lines = ended.lines()
    let (growth, overflow) = lines.count.multipliedReportingOverflow(by: margin.bytes.count + 1)
    try run.allocate(overflow ? .max : growth + text.bytes.count)
    var result = Text()
    for (index, line) in lines.enumerated() {
      if index > 0 { result.append("\n".utf8, .data) }
      if index == 0 ? first : blank || !line.isEmpty { result.append(margin) }
      result.append(line)
    }
    result.isMarkup = text.isMarkup
    return result
  }

  /// Greedy line breaking at blanks; a word longer than the width is cut.
  private static func wrapped(_ text: Text, _ width: Int, _ separator: Text) -> Text {
    var lines: [Text] = []
    for paragraph in text.lines() {
      var line = Text()
      var length = 0
      func flush() {
        if length > 0 { lines.append(line) }
        line = Text()
        length = 0
      }
      for word in paragraph.words(limit: .max) {
        var rest = word
        if length > 0, length + 1 + rest.count > width { flush() }
        while rest.count > width {
          let edges = rest.boundaries
          lines.append(rest[0..<edges[width]])
          rest = rest[edges[width]..<rest.bytes.count]
        }
        if length > 0 { line.append(" ".utf8, .data) }
        length += rest.count + (length > 0 ? 1 : 0)
        line.append(rest)
      }
      flush()
      if paragraph.isEmpty { lines.append(Text()) }
    }
    var result = Text()
    for (index, line) in lines.enumerated() {
      if index > 0 { result.append(separator) }
      result.append(line)
    }
    return result
  }

  private static func withoutTags(_ text: Text) -> Text {
    var plain = Text()
    var depth = 0
    for (index, byte) in text.bytes.enumerated() {
      if byte == UInt8(ascii: "<") { depth = 1 }
      if depth == 0 { plain.append(byte, text.origin(at: index)) }
      if byte == UInt8(ascii: ">") { depth = 0 }
    }
    var result = Text()
    for (index, word) in plain.words(limit: .max).enumerated() {
      if index > 0 { result.append(" ".utf8, .data) }
      result.append(word)
    }
    return result
  }

  private static func percentEncoded(_ text: Text, keepingSlash: Bool) -> Text {
    var result = Text()
    let digits = Array("0123456789ABCDEF".utf8)
    for (index, byte) in text.bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "~"):
        result.append(byte, text.origin(at: index))
      case UInt8(ascii: "/") where keepingSlash: result.append(byte, text.origin(at: index))
      case UInt8(ascii: " ") where !keepingSlash: result.append("+".utf8, .data)
      default:
        if byte < 0x80, byte.isNameByte {
          result.append(byte, text.origin(at: index))
        } else {
          result.append([UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]], .data)
        }
      }
    }
    return result
  }
}
