/// What stands after `|`.
struct Filter: Sendable {
  typealias Body = @Sendable (Interpreter, Value, BoundArguments) throws(TemplateError) -> Value

  /// The names of the parameters after the value, or `nil` to take any arguments.
  let parameters: [String]?
  let body: Body

  init(_ parameters: [String]? = [], _ body: @escaping Body) {
    self.parameters = parameters
    self.body = body
  }

  func apply(
    _ run: Interpreter, _ name: String, _ value: Value, _ arguments: CallArguments
  ) throws(TemplateError) -> Value {
    guard let parameters else {
      return try body(run, value, BoundArguments(values: arguments.positional, all: arguments))
    }
    return try body(run, value, try arguments.bound(to: parameters, of: name, run))
  }

  /// Every filter by name.
  static let named: [String: Filter] = {
    var table: [String: Filter] = [:]
    for group in [textFilters, numberFilters, sequenceFilters, selectionFilters, dictionaryFilters, jsonFilters] {
      table.merge(group) { first, _ in first }
    }
    return table
  }()
}

// MARK: - Arguments

extension Interpreter {
  /// What a part of a text that was cut up takes in memory, its bytes not counted.
  static let costOfPart = 96

  /// An integer argument.
  func integer(_ value: Value?, _ name: String, default fallback: Int) throws(TemplateError) -> Int {
    guard let value else { return fallback }
    guard let number = value.index else { throw fail(.type, "\(name) must be an integer, not \(value.typeName)") }
    return number
  }

  /// The text of an argument of any type.
  func text(_ value: Value?, default fallback: String = "") throws(TemplateError) -> Text {
    guard let value else { return Text(data: fallback) }
    return try text(of: value)
  }

  /// Counts the text and takes it as a value.
  func string(_ text: Text) throws(TemplateError) -> Value { .string(try made(text)) }

  /// What lazy filters return: the items can be walked once.
  func iterator(_ values: [Value]) throws(TemplateError) -> Value {
    try allocate(values.count * MemoryLayout<Value>.stride + 48)
    let iterator = ValueIterator(values)
    guard iterator.depth <= limits.valueDepth else { throw fail(.limit, "lists nest too deeply") }
    return .iterator(iterator)
  }
}
