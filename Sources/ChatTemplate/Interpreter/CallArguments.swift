/// The values given in a call.
struct CallArguments {
  var positional: [Value] = []
  var keywords: [(name: String, value: Value)] = []

  init(_ positional: [Value] = [], keywords: [(name: String, value: Value)] = []) {
    self.positional = positional
    self.keywords = keywords
  }

  /// The values in the order of `names`, `nil` for what wasn't given.
  ///
  /// Throws when there are more values than names, or a keyword that isn't one of them.
  func bound(
    to names: [String], of callee: String, _ run: Interpreter
  ) throws(TemplateError) -> BoundArguments {
    var values: [Value?] = positional.map { $0 }
    guard values.count <= names.count else {
      throw run.fail(.type, "\(callee) takes at most \(names.count) argument(s), \(values.count) given")
    }
    while values.count < names.count { values.append(nil) }
    for (name, value) in keywords {
      guard let place = names.firstIndex(of: name) else {
        throw run.fail(.type, "\(callee) has no parameter named '\(name)'")
      }
      guard values[place] == nil else {
        throw run.fail(.type, "\(callee) was given '\(name)' twice")
      }
      values[place] = value
    }
    return BoundArguments(values: values, all: self)
  }
}

/// Arguments sorted by parameter.
struct BoundArguments {
  let values: [Value?]
  /// The arguments as they were written, for callees that pass them on.
  let all: CallArguments

  subscript(index: Int) -> Value? { index < values.count ? values[index] : nil }
}

/// A value that can be called.
protocol Callable: AnyObject {
  var name: String { get }
  /// How deeply containers nest in what this holds.
  var depth: Int { get }
  func call(_ arguments: CallArguments, _ run: Interpreter) throws(TemplateError) -> Value
}
