/// `a.name`: an attribute of the value, else an item of that key.
final class Attribute: Expression {
  let base: any Expression
  let name: AttributeName
  let offset: Int
  let height: Int

  init(_ base: any Expression, name: String, offset: Int) {
    self.base = base
    self.name = AttributeName(name)
    self.offset = offset
    height = base.height + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    let value = try base.evaluate(run, scope)
    run.position = offset
    return try run.attribute(name, of: value)
  }
}

/// `a[b]`: an item, else an attribute of that name.
final class Subscript: Expression {
  let base: any Expression
  let key: any Expression
  let offset: Int
  let height: Int

  init(_ base: any Expression, key: any Expression, offset: Int) {
    self.base = base
    self.key = key
    self.offset = offset
    height = max(base.height, key.height) + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    let value = try base.evaluate(run, scope)
    let key = try key.evaluate(run, scope)
    run.position = offset
    return try run.item(key, of: value)
  }
}

/// `a[start:stop:step]`.
final class Slice: Expression {
  let base: any Expression
  let start: (any Expression)?
  let stop: (any Expression)?
  let stride: (any Expression)?
  let offset: Int
  let height: Int

  init(
    _ base: any Expression, start: (any Expression)?, stop: (any Expression)?, stride: (any Expression)?, offset: Int
  ) {
    self.base = base
    self.start = start
    self.stop = stop
    self.stride = stride
    self.offset = offset
    height = maximumHeight([base] + [start, stop, stride].compactMap(\.self)) + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    let value = try base.evaluate(run, scope)
    let start = try start?.evaluate(run, scope) ?? .none
    let stop = try stop?.evaluate(run, scope) ?? .none
    let stride = try stride?.evaluate(run, scope) ?? .none
    run.position = offset
    return try run.slice(value, start: start, stop: stop, step: stride)
  }
}

/// The arguments written in a call.
struct ArgumentList: Sendable {
  var positional: [any Expression] = []
  var keywords: [(name: String, value: any Expression)] = []
  /// `*a`.
  var list: (any Expression)?
  /// `**a`.
  var dictionary: (any Expression)?

  var height: Int {
    maximumHeight(positional + keywords.map(\.value) + [list, dictionary].compactMap(\.self))
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> CallArguments {
    var result = CallArguments()
    for argument in positional { result.positional.append(try argument.evaluate(run, scope)) }
    for (name, value) in keywords { result.keywords.append((name, try value.evaluate(run, scope))) }
    if let list {
      result.positional += try run.items(of: try list.evaluate(run, scope))
    }
    if let dictionary {
      guard case .dictionary(let entries) = try dictionary.evaluate(run, scope) else {
        throw run.fail(.type, "the argument after ** must be a mapping")
      }
      for (key, value) in zip(entries.keys, entries.values) {
        result.keywords.append((try run.text(of: key).string, value))
      }
    }
    return result
  }
}

/// `a(b, c=d)`.
final class Call: Expression {
  let callee: any Expression
  let arguments: ArgumentList
  let offset: Int
  let height: Int

  init(_ callee: any Expression, _ arguments: ArgumentList, offset: Int) {
    self.callee = callee
    self.arguments = arguments
    self.offset = offset
    height = max(callee.height, arguments.height) + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    let target = try callee.evaluate(run, scope)
    let values = try arguments.evaluate(run, scope)
    run.position = offset
    return try run.call(target, values)
  }
}

/// `a | name(b)`, `a is name b` or `a is not name`: a value and arguments given to a builtin of that name.
final class BuiltinApplication: Expression {
  /// What is looked up by name; one that doesn't exist is an error only where it is reached.
  enum Builtin: Sendable {
    case filter(Filter?)
    case test(ValueTest?, isNegated: Bool)
  }

  /// The value; in `{% filter %}` and `{% set x | f %}` a captured text.
  let base: any Expression
  let name: String
  let builtin: Builtin
  let arguments: ArgumentList
  let offset: Int
  let height: Int

  private init(_ base: any Expression, _ name: String, _ builtin: Builtin, _ arguments: ArgumentList, _ offset: Int) {
    self.base = base
    self.name = name
    self.builtin = builtin
    self.arguments = arguments
    self.offset = offset
    height = max(base.height, arguments.height) + 1
  }

  static func filter(_ base: any Expression, name: String, _ arguments: ArgumentList, offset: Int) -> BuiltinApplication
  {
    BuiltinApplication(base, name, .filter(Filter.named[name]), arguments, offset)
  }

  static func test(
    _ base: any Expression, name: String, _ arguments: ArgumentList, isNegated: Bool, offset: Int
  ) -> BuiltinApplication {
    BuiltinApplication(base, name, .test(ValueTest.named[name], isNegated: isNegated), arguments, offset)
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    let value = try base.evaluate(run, scope)
    let values = try arguments.evaluate(run, scope)
    run.position = offset
    try run.step()
    switch builtin {
    case .filter(let filter?): return try filter.apply(run, name, value, values)
    case .test(let test?, let isNegated): return .boolean(try test.holds(run, value, values) != isNegated)
    case .filter(nil): throw run.fail(.syntax, "there is no filter named '\(name)'")
    case .test(nil, _): throw run.fail(.syntax, "there is no test named '\(name)'")
    }
  }
}
