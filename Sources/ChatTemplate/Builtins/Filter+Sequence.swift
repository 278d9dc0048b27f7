extension Filter {
  static let sequenceFilters: [String: Filter] = [
    "length": Filter { (run, value, _) throws(TemplateError) in try length(run, value) },
    "count": Filter { (run, value, _) throws(TemplateError) in try length(run, value) },
    "list": Filter { (run, value, _) throws(TemplateError) in .list(try run.list(try run.items(of: value))) },
    "first": Filter { (run, value, _) throws(TemplateError) in
      if case .iterator(let iterator) = value { return iterator.next() ?? Undefined.unnamed }
      if case .string(let text) = value {
        return text.isEmpty ? Undefined.unnamed : .string(text[0..<text.scalar(at: 0).1])
      }
      return try run.items(of: value).first ?? Undefined.unnamed
    },
    "last": Filter { (run, value, _) throws(TemplateError) in
      if case .iterator = value { throw run.fail(.type, "'generator' object is not reversible") }
      return try run.items(of: value).last ?? Undefined.unnamed
    },
    "random": Filter { (run, value, _) throws(TemplateError) in
      throw run.fail(.unsupported, "the filter 'random' is left out: the same chat must give the same prompt")
    },
    "reverse": Filter { (run, value, _) throws(TemplateError) in
      if case .string(let text) = value {
        return try run.slice(.string(text), start: .none, stop: .none, step: .integer(-1))
      }
      return try run.iterator(try run.items(of: value).reversed())
    },
    "join": Filter(["d", "attribute"]) { (run, value, given) throws(TemplateError) in
      let separator = try run.text(given[0])
      var result = Text()
      for (index, item) in try run.items(of: value).enumerated() {
        var item = item
        if let attribute = given[1], !attribute.isNone { item = try run.path(attribute, of: item) }
        if index > 0 { result.append(separator) }
        result.append(try run.text(of: item))
        try run.checkSize(result)
      }
      return try run.string(result)
    },
    "sum": Filter(["attribute", "start"]) { (run, value, given) throws(TemplateError) in
      var total = given[1] ?? .integer(0)
      for item in try run.items(of: value) {
        let addend = try attribute(run, given[0], item)
        total = try run.apply(.add, total, addend)
      }
      return total
    },
    "sort": Filter(["reverse", "case_sensitive", "attribute"]) { (run, value, given) throws(TemplateError) in
      let caseSensitive = given[1]?.isTrue ?? false
      let isReversed = given[0]?.isTrue ?? false
      var keyed: [(key: Value, item: Value)] = []
      let items = try run.items(of: value)
      try run.allocate(items.count * costOfSorting)
      for item in items {
        var keys: [Value] = []
        for path in try paths(run, given[2]) {
          keys.append(folded(try attribute(run, path, item), caseSensitive))
        }
        keyed.append((.list(keys), item))
      }
      let order = try run.sorted(keyed) { (a, b) throws(TemplateError) in
        isReversed ? try run.precedes(b.key, a.key) : try run.precedes(a.key, b.key)
      }
      return .list(try run.list(order.map(\.item)))
    },
    "unique": Filter(["case_sensitive", "attribute"]) { (run, value, given) throws(TemplateError) in
      let caseSensitive = given[0]?.isTrue ?? false
      var seen: Set<Key> = []
      var others: [Value] = []
      var result: [Value] = []
      for item in try run.items(of: value) {
        let mark = folded(try attribute(run, given[1], item), caseSensitive)
        if let key = mark.key {
          if seen.insert(key).inserted { result.append(item) }
        } else {
          var isNew = true
          for other in others where try run.equal(other, mark) { isNew = false }
          if isNew {
            others.append(mark)
            result.append(item)
          }
        }
      }
      return try run.iterator(result)
    },
    "min": Filter(["case_sensitive", "attribute"]) { (run, value, given) throws(TemplateError) in
      try extreme(run, value, given) { (a, b) throws(TemplateError) in try run.precedes(a, b) }
    },
    "max": Filter(["case_sensitive", "attribute"]) { (run, value, given) throws(TemplateError) in
      try extreme(run, value, given) { (a, b) throws(TemplateError) in try run.precedes(b, a) }
    },
    "batch": Filter(["linecount", "fill_with"]) { (run, value, given) throws(TemplateError) in
      let width = try run.integer(given[0], "linecount", default: 0)
      guard width > 0 else { throw run.fail(.value, "linecount must be positive") }
      let items = try run.items(of: value)
      var rows: [Value] = []
      for start in stride(from: 0, to: items.count, by: width) {
        var row = Array(items[start..<min(items.count, start + min(width, items.count))])
        if let fill = given[1], !fill.isNone, row.count < width {
          try run.allocate(
            (width - row.count).multipliedReportingOverflow(by: 32).partialValue.magnitude > 1 << 40
              ? .max : (width - row.count) * 32)
          row += Array(repeating: fill, count: width - row.count)
        }
        rows.append(.list(try run.list(row)))
      }
      return try run.iterator(rows)
    },
    "slice": Filter(["slices", "fill_with"]) { (run, value, given) throws(TemplateError) in
      let count = try run.integer(given[0], "slices", default: 0)
      guard count > 0 else { throw run.fail(.value, "slices must be positive") }
      try run.allocate(min(count, 1 << 40) * 64)
      let items = try run.items(of: value)
      let (width, extra) = items.count.quotientAndRemainder(dividingBy: count)
      var rows: [Value] = []
      var start = 0
      for index in 0..<count {
        let end = start + width + (index < extra ? 1 : 0)
        var row = Array(items[start..<end])
        if let fill = given[1], !fill.isNone, index >= extra { row.append(fill) }
        rows.append(.list(try run.list(row)))
        start = end
      }
      return try run.iterator(rows)
    },
    "groupby": Filter(["attribute", "default", "case_sensitive"]) { (run, value, given) throws(TemplateError) in
      guard let path = given[0] else { throw run.fail(.type, "groupby needs an attribute") }
      let caseSensitive = given[2]?.isTrue ?? false
      var keyed: [(key: Value, sign: Value, item: Value)] = []
      let items = try run.items(of: value)
      try run.allocate(items.count * costOfSorting * 2)
      for item in items {
        let key = try run.path(path, of: item, default: given[1])
        keyed.append((key, folded(key, caseSensitive), item))
      }
      let order = try run.sorted(keyed) { (a, b) throws(TemplateError) in try run.precedes(a.sign, b.sign) }
      var groups: [(key: Value, sign: Value, items: [Value])] = []
      for entry in order {
        if let last = groups.last, try run.equal(last.sign, entry.sign) {
          groups[groups.count - 1].items.append(entry.item)
        } else {
          groups.append((entry.key, entry.sign, [entry.item]))
        }
      }
      var rows: [Value] = []
      for group in groups { rows.append(.tuple(try run.list([group.key, .list(try run.list(group.items))]))) }
      return .list(try run.list(rows))
    },
  ]

  /// What sorting takes in memory for each item.
  private static let costOfSorting = 256

  static func length(_ run: Interpreter, _ value: Value) throws(TemplateError) -> Value {
    switch value {
    case .string(let text): return .integer(text.count)
    case .list(let list), .tuple(let list): return .integer(list.values.count)
    case .dictionary(let dictionary): return .integer(dictionary.count)
    case .view(let view): return .integer(view.items.values.count)
    case .range(let range): return .integer(range.count)
    case .undefined: return .integer(0)
    case .loop(let loop): return try loop.attribute("length", run) ?? .none
    default: throw run.fail(.type, "object of type '\(value.typeName)' has no len()")
    }
  }

  private static func attribute(_ run: Interpreter, _ path: Value?, _ item: Value) throws(TemplateError) -> Value {
    guard let path, !path.isNone else { return item }
    return try run.path(path, of: item)
  }

  /// The comma-separated attribute paths of a sort.
  private static func paths(_ run: Interpreter, _ value: Value?) throws(TemplateError) -> [Value?] {
    guard case .string(let text) = value else { return [value] }
    return text.split(separator: Text(data: ","), limit: .max).map { .string($0) }
  }

  static func folded(_ value: Value, _ caseSensitive: Bool) -> Value {
    guard !caseSensitive, case .string(let text) = value else { return value }
    return .string(text.lowercased())
  }

  private static func extreme(
    _ run: Interpreter, _ value: Value, _ given: BoundArguments,
    _ isBetter: (Value, Value) throws(TemplateError) -> Bool
  ) throws(TemplateError) -> Value {
    let caseSensitive = given[0]?.isTrue ?? false
    var best: (key: Value, item: Value)?
    for item in try run.items(of: value) {
      let key = folded(try attribute(run, given[1], item), caseSensitive)
      if let current = best, !(try isBetter(key, current.key)) { continue }
      best = (key, item)
    }
    return best?.item ?? Undefined.unnamed
  }
}
