import JSON

extension Filter {
  static let dictionaryFilters: [String: Filter] = [
    "items": Filter { (run, value, _) throws(TemplateError) in
      switch value {
      case .dictionary(let dictionary): return try run.iterator(dictionary.items)
      case .undefined: return try run.iterator([])
      default: throw run.fail(.type, "Can only get item pairs from a mapping.")
      }
    },
    "dictsort": Filter(["case_sensitive", "by", "reverse"]) { (run, value, given) throws(TemplateError) in
      guard case .dictionary(let dictionary) = value else {
        if case .undefined(let undefined) = value { throw run.fail(undefined) }
        throw run.fail(.type, "'\(value.typeName)' object has no attribute 'items'")
      }
      let caseSensitive = given[0]?.isTrue ?? false
      let by = try run.text(given[1], default: "key").string
      guard by == "key" || by == "value" else {
        throw run.fail(.value, "you can only sort by either \"key\" or \"value\"")
      }
      let isReversed = given[2]?.isTrue ?? false
      let marks = (by == "key" ? dictionary.keys : dictionary.values).map { folded($0, caseSensitive) }
      let order = try run.sorted(Array(marks.indices)) { (a, b) throws(TemplateError) in
        isReversed ? try run.precedes(marks[b], marks[a]) : try run.precedes(marks[a], marks[b])
      }
      return .list(try run.list(order.map { .tuple([dictionary.keys[$0], dictionary.values[$0]]) }))
    },
    "xmlattr": Filter(["autospace"]) { (run, value, given) throws(TemplateError) in
      guard case .dictionary(let dictionary) = value else { throw run.fail(.type, "xmlattr needs a mapping") }
      var result = Text()
      for (key, value) in zip(dictionary.keys, dictionary.values) where !value.isNone && !value.isUndefined {
        if !result.isEmpty || given[0]?.isTrue ?? true { result.append(" ".utf8, .data) }
        result.append(try run.text(of: key).escaped)
        result.append("=\"".utf8, .data)
        result.append(try run.text(of: value).escaped)
        result.append("\"".utf8, .data)
      }
      return try run.string(result)
    },
  ]

  static let jsonFilters: [String: Filter] = [
    "tojson": Filter(["ensure_ascii", "indent", "separators", "sort_keys"]) {
      (run, value, given) throws(TemplateError) in
      var writer = JSONWriter()
      writer.escapesNonASCII = given[0]?.isTrue ?? false
      writer.sortsKeys = given[3]?.isTrue ?? false
      switch given[1] {
      case nil, .some(.none): break
      case .string(let margin): writer.indent = margin
      case .some(let width):
        let count = try run.integer(width, "indent", default: 0)
        guard count <= 64 else { throw run.fail(.limit, "indent is too large") }
        writer.indent = try run.padding(Text(data: " "), count)
      }
      if writer.indent != nil { writer.itemSeparator = Text(data: ",") }
      if let separators = given[2], !separators.isNone {
        let pair = try run.items(of: separators)
        guard pair.count == 2 else { throw run.fail(.type, "separators must be a pair") }
        writer.itemSeparator = try run.text(of: pair[0])
        writer.keySeparator = try run.text(of: pair[1])
      }
      return .string(try writer.write(value, run))
    },
    "from_json": Filter { (run, value, _) throws(TemplateError) in try parsed(run, value) },
    "fromjson": Filter { (run, value, _) throws(TemplateError) in try parsed(run, value) },
  ]

  private static func parsed(_ run: Interpreter, _ value: Value) throws(TemplateError) -> Value {
    guard case .string(let text) = value else { throw run.fail(.type, "the JSON to read must be str") }
    try run.allocate(text.bytes.count * 16)
    let json: JSONValue
    do {
      json = try JSONValue(parsing: text.string, maximumDepth: run.limits.valueDepth - 2)
    } catch {
      throw run.fail(.value, "this text is not JSON: \(error)")
    }
    var weight = 0
    guard let result = Value(json, depth: run.limits.valueDepth - 1, weight: &weight) else {
      throw run.fail(.limit, "this JSON nests too deeply")
    }
    return result
  }
}

extension Interpreter {
  /// The value with the keys of every dictionary in order.
  func sortedByKey(_ value: Value, depth: Int) throws(TemplateError) -> Value {
    try step()
    switch value {
    case .list(let items):
      var values: [Value] = []
      for item in items.values { values.append(try sortedByKey(item, depth: depth + 1)) }
      return .list(try list(values))
    case .dictionary(let dictionary):
      let order = try sorted(Array(dictionary.keys.indices)) { (a, b) throws(TemplateError) in
        try precedes(dictionary.keys[a], dictionary.keys[b])
      }
      let result = ValueDictionary(minimumCapacity: dictionary.count)
      for index in order {
        _ = result.set(dictionary.keys[index], try sortedByKey(dictionary.values[index], depth: depth + 1))
      }
      return .dictionary(try checked(result))
    default: return value
    }
  }
}
