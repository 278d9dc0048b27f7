/// A value of the template language.
///
/// Lists and dictionaries are immutable, as in the sandbox that the field renders templates in: templates build new
/// ones. Only a `Namespace` changes after it was made.
enum Value {
  case undefined(Undefined)
  case none
  case boolean(Bool)
  case integer(Int)
  case big(BigInteger)
  case double(Double)
  case string(Text)
  case list(ValueList)
  case tuple(ValueList)
  case dictionary(ValueDictionary)
  case view(DictionaryView)
  case range(ValueRange)
  case iterator(ValueIterator)
  case namespace(Namespace)
  case loop(LoopState)
  case callable(any Callable)
}

extension Value {
  /// Text that was inserted or derived.
  static func data(_ string: String) -> Value { .string(Text(data: string)) }

  /// How deeply containers nest in this value.
  var depth: Int {
    switch self {
    case .list(let items), .tuple(let items): items.depth
    case .dictionary(let dictionary): dictionary.depth
    case .view(let view): view.items.depth
    case .iterator(let iterator): iterator.depth
    case .loop(let loop): loop.depth
    case .callable(let callable): callable.depth
    default: 0
    }
  }

  /// Whether Python would take the value as true.
  var isTrue: Bool {
    switch self {
    case .undefined, .none: false
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    case .big: true
    case .double(let number): number != 0
    case .string(let text): !text.isEmpty
    case .list(let items), .tuple(let items): !items.values.isEmpty
    case .dictionary(let dictionary): dictionary.count > 0
    case .view(let view): !view.items.values.isEmpty
    case .range(let range): range.count > 0
    case .iterator, .namespace, .loop, .callable: true
    }
  }

  var isUndefined: Bool {
    if case .undefined = self { return true }
    return false
  }

  var isNone: Bool {
    if case .none = self { return true }
    return false
  }

  /// The name of the Python type, for messages.
  var typeName: String {
    switch self {
    case .undefined: "Undefined"
    case .none: "NoneType"
    case .boolean: "bool"
    case .integer, .big: "int"
    case .double: "float"
    case .string(let text): text.isMarkup ? "Markup" : "str"
    case .list: "list"
    case .tuple: "tuple"
    case .dictionary: "dict"
    case .view(let view): view.kind.rawValue
    case .range: "range"
    case .iterator: "generator"
    case .namespace: "Namespace"
    case .loop: "LoopContext"
    case .callable: "function"
    }
  }

  /// The value as an index or a count: integers and booleans.
  var index: Int? {
    switch self {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    default: nil
    }
  }
}

/// A missing variable, attribute or item, with what is needed to say which.
final class Undefined: Sendable {
  enum Reason: Sendable {
    case variable(String)
    case attribute(String, of: String)
    case item(String, of: String)
    case unsafe(String, of: String)
    case unnamed
  }

  let reason: Reason

  init(_ reason: Reason) { self.reason = reason }

  static var unnamed: Value { .undefined(shared) }

  private static let shared = Undefined(.unnamed)

  var message: String {
    switch reason {
    case .variable(let name): "'\(name)' is undefined"
    case .attribute(let name, let type): "'\(type) object' has no attribute '\(name)'"
    case .item(let name, let type): "\(type) object has no element \(name)"
    case .unsafe(let name, let type): "access to attribute '\(name)' of '\(type)' object is unsafe."
    case .unnamed: "a value is undefined"
    }
  }

  var kind: TemplateError.Kind {
    if case .unsafe = reason { return .security }
    return .undefined
  }
}
