/// What stands after `is`.
struct ValueTest: Sendable {
  typealias Body = @Sendable (Interpreter, Value, Value) throws(TemplateError) -> Bool

  /// The number of arguments after the value.
  let arguments: Int
  let body: Body

  init(_ arguments: Int = 0, _ body: @escaping Body) {
    self.arguments = arguments
    self.body = body
  }

  func holds(_ run: Interpreter, _ value: Value, _ given: CallArguments) throws(TemplateError) -> Bool {
    let all = given.positional + given.keywords.map(\.value)
    guard all.count == arguments else {
      throw run.fail(.type, "this test takes \(arguments) argument(s), \(all.count) given")
    }
    return try body(run, value, all.first ?? .none)
  }

  static let named: [String: ValueTest] = kinds.merging(relations) { first, _ in first }

  private static let kinds: [String: ValueTest] = [
    "defined": ValueTest { (_, value, _) throws(TemplateError) in !value.isUndefined },
    "undefined": ValueTest { (_, value, _) throws(TemplateError) in value.isUndefined },
    "none": ValueTest { (_, value, _) throws(TemplateError) in value.isNone },
    "boolean": ValueTest { (_, value, _) throws(TemplateError) in
      if case .boolean = value { return true }
      return false
    },
    "true": ValueTest { (_, value, _) throws(TemplateError) in
      if case .boolean(true) = value { return true }
      return false
    },
    "false": ValueTest { (_, value, _) throws(TemplateError) in
      if case .boolean(false) = value { return true }
      return false
    },
    "integer": ValueTest { (_, value, _) throws(TemplateError) in
      switch value {
      case .integer, .big: true
      default: false
      }
    },
    "float": ValueTest { (_, value, _) throws(TemplateError) in
      if case .double = value { return true }
      return false
    },
    "number": ValueTest { (_, value, _) throws(TemplateError) in Number(value) != nil },
    "string": ValueTest { (_, value, _) throws(TemplateError) in
      if case .string = value { return true }
      return false
    },
    "mapping": ValueTest { (_, value, _) throws(TemplateError) in
      if case .dictionary = value { return true }
      return false
    },
    "iterable": ValueTest { (_, value, _) throws(TemplateError) in
      switch value {
      case .string, .list, .tuple, .dictionary, .view, .range, .iterator, .loop, .undefined: true
      default: false
      }
    },
    "sequence": ValueTest { (_, value, _) throws(TemplateError) in
      switch value {
      case .string, .list, .tuple, .dictionary, .range, .undefined: true
      default: false
      }
    },
    "callable": ValueTest { (_, value, _) throws(TemplateError) in
      switch value {
      case .callable, .loop, .undefined: true
      default: false
      }
    },
    "escaped": ValueTest { (_, value, _) throws(TemplateError) in
      if case .string(let text) = value { return text.isMarkup }
      return false
    },
    "lower": ValueTest { (run, value, _) throws(TemplateError) in
      let text = try run.text(of: value)
      let cased = text.string.unicodeScalars.filter(\.properties.isCased)
      return !cased.isEmpty && cased.allSatisfy(\.properties.isLowercase)
    },
    "upper": ValueTest { (run, value, _) throws(TemplateError) in
      let text = try run.text(of: value)
      let cased = text.string.unicodeScalars.filter(\.properties.isCased)
      return !cased.isEmpty && cased.allSatisfy(\.properties.isUppercase)
    },
    "filter": ValueTest { (run, value, _) throws(TemplateError) in
      Filter.named[try run.text(of: value).string] != nil
    },
    "test": ValueTest { (run, value, _) throws(TemplateError) in
      ValueTest.isKnown(try run.text(of: value).string)
    },
  ]

  private static func isKnown(_ name: String) -> Bool { named[name] != nil }

  private static let relations: [String: ValueTest] = {
    var table: [String: ValueTest] = [
      "odd": ValueTest { (run, value, _) throws(TemplateError) in
        try run.equal(try run.apply(.modulo, value, .integer(2)), .integer(1))
      },
      "even": ValueTest { (run, value, _) throws(TemplateError) in
        try run.equal(try run.apply(.modulo, value, .integer(2)), .integer(0))
      },
      "divisibleby": ValueTest(1) { (run, value, other) throws(TemplateError) in
        try run.equal(try run.apply(.modulo, value, other), .integer(0))
      },
      "in": ValueTest(1) { (run, value, other) throws(TemplateError) in try run.contains(other, value) },
      "sameas": ValueTest(1) { (run, value, other) throws(TemplateError) in
        guard value.typeName == other.typeName else { return false }
        return try run.equal(value, other)
      },
    ]
    let signs: [(Comparison.Relation, [String])] = [
      (.equal, ["==", "eq", "equalto"]), (.notEqual, ["!=", "ne"]), (.less, ["<", "lt", "lessthan"]),
      (.lessOrEqual, ["<=", "le"]), (.greater, [">", "gt", "greaterthan"]), (.greaterOrEqual, [">=", "ge"]),
    ]
    for (relation, names) in signs {
      for name in names {
        table[name] = ValueTest(1) { (run, value, other) throws(TemplateError) in try run.holds(relation, value, other)
        }
      }
    }
    return table
  }()
}
