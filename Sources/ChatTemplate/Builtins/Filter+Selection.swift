/// Filters that go through a sequence item by item.
extension Filter {
  static let selectionFilters: [String: Filter] = [
    "map": Filter(nil) { (run, value, given) throws(TemplateError) in try map(run, value, given.all) },
    "select": Filter(nil) { (run, value, given) throws(TemplateError) in
      try choose(run, value, given.all, byAttribute: false, keeping: true)
    },
    "reject": Filter(nil) { (run, value, given) throws(TemplateError) in
      try choose(run, value, given.all, byAttribute: false, keeping: false)
    },
    "selectattr": Filter(nil) { (run, value, given) throws(TemplateError) in
      try choose(run, value, given.all, byAttribute: true, keeping: true)
    },
    "rejectattr": Filter(nil) { (run, value, given) throws(TemplateError) in
      try choose(run, value, given.all, byAttribute: true, keeping: false)
    },
    "default": Filter(["default_value", "boolean"]) { (run, value, given) throws(TemplateError) in
      fallback(value, given)
    },
    "d": Filter(["default_value", "boolean"]) { (run, value, given) throws(TemplateError) in fallback(value, given) },
    "attr": Filter(["name"]) { (run, value, given) throws(TemplateError) in
      let name = AttributeName(try run.text(given[0]).string)
      // Only attributes, never items.
      if case .dictionary = value, name.dictionaryMethod == nil { return Undefined.unnamed }
      return try run.attribute(name, of: value)
    },
  ]

  private static func fallback(_ value: Value, _ given: BoundArguments) -> Value {
    let replaces = value.isUndefined || ((given[1]?.isTrue ?? false) && !value.isTrue)
    return replaces ? given[0] ?? .string(Text()) : value
  }

  private static func map(
    _ run: Interpreter, _ value: Value, _ arguments: CallArguments
  ) throws(TemplateError) -> Value {
    var results: [Value] = []
    guard value.isTrue else { return try run.iterator([]) }
    if arguments.positional.isEmpty, let path = arguments.keywords.first(where: { $0.name == "attribute" })?.value {
      let fallback = arguments.keywords.first { $0.name == "default" }?.value
      for item in try run.items(of: value) { results.append(try run.path(path, of: item, default: fallback)) }
      return try run.iterator(results)
    }
    guard let first = arguments.positional.first else { throw run.fail(.type, "map requires a filter argument") }
    let name = try run.text(of: first).string
    guard let filter = Filter.named[name] else { throw run.fail(.syntax, "there is no filter named '\(name)'") }
    let rest = CallArguments(Array(arguments.positional.dropFirst()), keywords: arguments.keywords)
    // Filters can be stacked: `map('map', 'map', …)`.
    try run.enter(4)
    defer { run.leave(4) }
    for item in try run.items(of: value) {
      try run.step()
      results.append(try filter.apply(run, name, item, rest))
    }
    return try run.iterator(results)
  }

  private static func choose(
    _ run: Interpreter, _ value: Value, _ arguments: CallArguments, byAttribute: Bool, keeping: Bool
  ) throws(TemplateError) -> Value {
    // A false value of any kind, none too, has no items.
    guard value.isTrue else { return try run.iterator([]) }
    var positional = arguments.positional[...]
    var path: Value?
    if byAttribute {
      guard let attribute = positional.popFirst() else {
        throw run.fail(.type, "an attribute name is missing")
      }
      path = attribute
    }
    var test: ValueTest?
    if let name = positional.popFirst() {
      let spelling = try run.text(of: name).string
      guard let known = ValueTest.named[spelling] else {
        throw run.fail(.syntax, "there is no test named '\(spelling)'")
      }
      test = known
    }
    let rest = CallArguments(Array(positional), keywords: arguments.keywords)
    var results: [Value] = []
    for item in try run.items(of: value) {
      try run.step()
      let subject = try path.map { (path) throws(TemplateError) in try run.path(path, of: item) } ?? item
      let holds = try test.map { (test) throws(TemplateError) in try test.holds(run, subject, rest) } ?? subject.isTrue
      if holds == keeping { results.append(item) }
    }
    return try run.iterator(results)
  }
}

extension Interpreter {
  /// The item at a dotted path such as `function.name` or `0.text`.
  func path(_ path: Value, of value: Value, default fallback: Value? = nil) throws(TemplateError) -> Value {
    guard case .string(let text) = path else { return try item(path, of: value) }
    var result = value
    for part in text.split(separator: Text(data: "."), limit: .max) {
      if !part.isEmpty, part.bytes.allSatisfy(\.isDigit), let index = Int(part.string) {
        result = try item(.integer(index), of: result)
      } else {
        result = try item(.string(part), of: result)
      }
      if let fallback, !fallback.isNone, result.isUndefined { result = fallback }
    }
    return result
  }
}
