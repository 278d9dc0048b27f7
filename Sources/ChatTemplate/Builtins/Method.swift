/// A method of texts, lists or dictionaries.
struct Method: Sendable {
  typealias Body = @Sendable (Interpreter, Value, BoundArguments) throws(TemplateError) -> Value

  let name: String
  /// The names of the parameters, or `nil` to take any arguments.
  let parameters: [String]?
  let body: Body

  init(_ name: String, _ parameters: [String]? = [], _ body: @escaping Body) {
    self.name = name
    self.parameters = parameters
    self.body = body
  }

  static func table(_ methods: [Method]) -> [String: Method] {
    Dictionary(methods.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Methods that change a value, which templates may not call.
  static let unsafeOfDictionaries: Set<String> = ["clear", "pop", "popitem", "setdefault", "update"]
  static let unsafeOfLists: Set<String> = ["append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"]

  static let ofLists = table([
    Method("index", ["value"]) { (run, list, given) throws(TemplateError) in
      for (index, item) in try run.items(of: list).enumerated() where try run.equal(item, given[0] ?? .none) {
        return .integer(index)
      }
      throw run.fail(.value, "\(try run.representation(of: given[0] ?? .none).string) is not in list")
    },
    Method("count", ["value"]) { (run, list, given) throws(TemplateError) in
      var count = 0
      for item in try run.items(of: list) where try run.equal(item, given[0] ?? .none) { count += 1 }
      return .integer(count)
    },
    Method("copy") { (_, list, _) throws(TemplateError) in list },
  ])

  static let ofDictionaries = table([
    Method("items") { (run, value, _) throws(TemplateError) in try view(run, value, .items) },
    Method("keys") { (run, value, _) throws(TemplateError) in try view(run, value, .keys) },
    Method("values") { (run, value, _) throws(TemplateError) in try view(run, value, .values) },
    Method("get", ["key", "default"]) { (run, value, given) throws(TemplateError) in
      guard case .dictionary(let dictionary) = value, let key = given[0] else {
        throw run.fail(.type, "get expected at least 1 argument, got 0")
      }
      guard let identity = key.key else {
        if key.isUndefined { return given[1] ?? .none }
        throw run.fail(.type, "a \(key.typeName) cannot be a key")
      }
      return dictionary[identity] ?? given[1] ?? .none
    },
    Method("copy") { (_, value, _) throws(TemplateError) in value },
  ])

  private static func view(
    _ run: Interpreter, _ value: Value, _ kind: DictionaryView.Kind
  ) throws(TemplateError) -> Value {
    guard case .dictionary(let dictionary) = value else { return .none }
    try run.allocate(dictionary.count * 112)
    switch kind {
    case .keys: return .view(DictionaryView(kind: kind, items: ValueList(dictionary.keys)))
    case .values: return .view(DictionaryView(kind: kind, items: ValueList(dictionary.values)))
    case .items: return .view(DictionaryView(kind: kind, items: ValueList(dictionary.items)))
    }
  }
}
