/// The functions that every template can call.
enum Globals {
  /// The longest range, as the field's sandbox bounds it.
  private static let longestRange = 100_000

  static let functions: [String: BuiltinFunction] = Dictionary(
    uniqueKeysWithValues: [
      BuiltinFunction("range", ["start", "stop", "step"]) { (run, given) throws(TemplateError) in
        try range(run, given)
      },
      BuiltinFunction("namespace", nil) { (run, given) throws(TemplateError) in
        let namespace = try run.namespace()
        for value in given.all.positional {
          guard case .dictionary(let entries) = value else { throw run.fail(.type, "namespace takes mappings") }
          for (key, value) in zip(entries.keys, entries.values) {
            try run.set(value, try run.text(of: key).bytes, in: namespace)
          }
        }
        for (name, value) in given.all.keywords { try run.set(value, Array(name.utf8), in: namespace) }
        return .namespace(namespace)
      },
      BuiltinFunction("dict", nil) { (run, given) throws(TemplateError) in
        let result = ValueDictionary()
        for value in given.all.positional {
          switch value {
          case .dictionary(let entries):
            for (key, value) in zip(entries.keys, entries.values) {
              try run.set(key, value, in: result, at: run.position)
            }
          default:
            for pair in try run.items(of: value) {
              let entry = try run.items(of: pair)
              guard entry.count == 2 else { throw run.fail(.value, "dict needs pairs") }
              try run.set(entry[0], entry[1], in: result, at: run.position)
            }
          }
        }
        for (name, value) in given.all.keywords { result.set(name, value) }
        return .dictionary(try run.checked(result))
      },
      BuiltinFunction("raise_exception", ["message"]) { (run, given) throws(TemplateError) in
        throw run.fail(.raised, try run.text(given[0]).string)
      },
      BuiltinFunction("strftime_now", ["format"]) { (run, given) throws(TemplateError) in
        let format = try run.text(given[0]).string
        guard format.utf8.count <= 1024 else { throw run.fail(.limit, "the format of strftime_now is too long") }
        return try run.string(Text(data: run.clock.date().formatted(format)))
      },
      BuiltinFunction("joiner", ["sep"]) { (run, given) throws(TemplateError) in
        try run.allocate(96)
        return .callable(Joiner(try run.text(given[0], default: ", ")))
      },
      BuiltinFunction("cycler", nil) { (run, given) throws(TemplateError) in
        guard !given.all.positional.isEmpty else { throw run.fail(.type, "at least one item has to be provided") }
        return .callable(Cycler(try run.list(given.all.positional)))
      },
      BuiltinFunction("self", nil) { (run, _) throws(TemplateError) in
        throw run.fail(.unsupported, "blocks of the template cannot be called")
      },
      BuiltinFunction("lipsum", nil) { (run, _) throws(TemplateError) in
        throw run.fail(.unsupported, "the function 'lipsum' is left out: the same chat must give the same prompt")
      },
    ].map { ($0.name, $0) })

  private static func range(_ run: Interpreter, _ given: BoundArguments) throws(TemplateError) -> Value {
    func integer(_ value: Value?) throws(TemplateError) -> Int {
      guard let number = value?.index else {
        if case .undefined(let undefined)? = value { throw run.fail(undefined) }
        throw run.fail(.type, "range needs integers")
      }
      return number
    }
    var start = 0
    var stop = try integer(given[0])
    if given[1] != nil { (start, stop) = (stop, try integer(given[1])) }
    let step = given[2] == nil ? 1 : try integer(given[2])
    guard step != 0 else { throw run.fail(.value, "range() arg 3 must not be zero") }
    let (distance, overflow) = stop.subtractingReportingOverflow(start)
    guard !overflow, distance != .min, step != .min else { throw run.fail(.limit, "this range is too long") }
    guard distance != 0, (distance > 0) == (step > 0) else {
      return .range(ValueRange(start: start, stop: stop, step: step, count: 0))
    }
    let count = (abs(distance) - 1) / abs(step) + 1
    guard count <= longestRange else {
      throw run.fail(.limit, "this range has \(count) items, more than \(longestRange)")
    }
    return .range(ValueRange(start: start, stop: stop, step: step, count: count))
  }
}

/// Gives nothing on its first call and the separator on every later one.
final class Joiner: Callable {
  private let separator: Text
  private var wasCalled = false

  init(_ separator: Text) { self.separator = separator }

  var name: String { "joiner" }
  var depth: Int { 0 }

  func call(_ arguments: CallArguments, _ run: Interpreter) throws(TemplateError) -> Value {
    defer { wasCalled = true }
    return .string(wasCalled ? separator : Text())
  }
}

/// Goes round its items, one a call of `next`.
final class Cycler: Callable, AttributeHolder {
  private let items: ValueList
  private var position = 0

  init(_ items: ValueList) { self.items = items }

  var name: String { "cycler" }
  var depth: Int { items.depth + 1 }

  func attribute(_ name: String) -> Value? {
    switch name {
    case "current": items.values[position]
    case "next": .callable(CyclerMethod(self, resets: false))
    case "reset": .callable(CyclerMethod(self, resets: true))
    default: nil
    }
  }

  func call(_ arguments: CallArguments, _ run: Interpreter) throws(TemplateError) -> Value {
    throw run.fail(.type, "'Cycler' object is not callable")
  }

  fileprivate func next() -> Value {
    defer { position = (position + 1) % items.values.count }
    return items.values[position]
  }

  fileprivate func reset() { position = 0 }
}

/// `cycler.next` and `cycler.reset`.
final class CyclerMethod: Callable {
  private let cycler: Cycler
  private let resets: Bool

  init(_ cycler: Cycler, resets: Bool) {
    self.cycler = cycler
    self.resets = resets
  }

  var name: String { resets ? "reset" : "next" }
  var depth: Int { cycler.depth + 1 }

  func call(_ arguments: CallArguments, _ run: Interpreter) throws(TemplateError) -> Value {
    if resets {
      cycler.reset()
      return .none
    }
    return cycler.next()
  }
}
