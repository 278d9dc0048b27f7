/// A node of the tree that has a value.
///
/// Nodes are small classes that evaluate themselves: each has a stack frame of its own size, so that the depth of the
/// tree, which the parser bounds, bounds the stack.
protocol Expression: AnyObject, Sendable {
  /// The longest path of nodes from here downwards, this one included.
  var height: Int { get }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value
}

/// The height of the highest of `nodes`, 0 without any.
func maximumHeight(_ nodes: [any Expression]) -> Int {
  var highest = 0
  for node in nodes { highest = max(highest, node.height) }
  return highest
}

/// A value written in the source.
final class Literal: Expression {
  enum Constant: Sendable {
    case none
    case boolean(Bool)
    case integer(Int)
    case big(BigInteger)
    case double(Double)
    case string(Text)
  }

  let constant: Constant
  let height = 1

  init(_ constant: Constant) { self.constant = constant }

  var value: Value {
    switch constant {
    case .none: .none
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .big(let number): .big(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text)
    }
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value { value }
}

/// The value of a name.
final class Variable: Expression {
  let slot: Int
  let height = 1

  init(slot: Int) { self.slot = slot }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    try run.step()
    return run.value(of: slot, in: scope)
  }
}

/// `[a, b]` or `(a, b)`.
final class SequenceLiteral: Expression {
  let items: [any Expression]
  let isTuple: Bool
  let height: Int

  init(_ items: [any Expression], isTuple: Bool) {
    self.items = items
    self.isTuple = isTuple
    height = maximumHeight(items) + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    var values: [Value] = []
    values.reserveCapacity(items.count)
    for item in items { values.append(try item.evaluate(run, scope)) }
    return isTuple ? .tuple(try run.list(values)) : .list(try run.list(values))
  }
}

/// `{'a': b}`.
final class DictionaryLiteral: Expression {
  let entries: [(key: any Expression, value: any Expression)]
  let offset: Int
  let height: Int

  init(_ entries: [(key: any Expression, value: any Expression)], offset: Int) {
    self.entries = entries
    self.offset = offset
    height = maximumHeight(entries.flatMap { [$0.key, $0.value] }) + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    let result = ValueDictionary(minimumCapacity: entries.count)
    for entry in entries {
      let key = try entry.key.evaluate(run, scope)
      try run.set(key, try entry.value.evaluate(run, scope), in: result, at: offset)
    }
    return .dictionary(try run.checked(result))
  }
}
