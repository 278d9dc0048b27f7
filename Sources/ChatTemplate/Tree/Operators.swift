/// `a and b and c`, or the same with `or`: the value of the operand that decides.
final class Logical: Expression {
  let operands: [any Expression]
  let isAnd: Bool
  let height: Int

  init(_ operands: [any Expression], isAnd: Bool) {
    self.operands = operands
    self.isAnd = isAnd
    height = maximumHeight(operands) + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    var value = Value.none
    for operand in operands {
      value = try operand.evaluate(run, scope)
      if value.isTrue != isAnd { break }
    }
    return value
  }
}

/// `not a`.
final class Negation: Expression {
  let operand: any Expression
  let height: Int

  init(_ operand: any Expression) {
    self.operand = operand
    height = operand.height + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    .boolean(!(try operand.evaluate(run, scope).isTrue))
  }
}

/// `-a` or `+a`.
final class Sign: Expression {
  let operand: any Expression
  let isMinus: Bool
  let offset: Int
  let height: Int

  init(_ operand: any Expression, isMinus: Bool, offset: Int) {
    self.operand = operand
    self.isMinus = isMinus
    self.offset = offset
    height = operand.height + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    let value = try operand.evaluate(run, scope)
    run.position = offset
    return try run.signed(value, isMinus: isMinus)
  }
}

/// Operands with operators of one precedence between them.
struct OperatorChain<Operator: Sendable>: Sendable {
  let first: any Expression
  let rest: [(operator: Operator, operand: any Expression)]
  let offset: Int

  init(_ first: any Expression, _ operators: [Operator], _ operands: [any Expression], offset: Int) {
    self.first = first
    rest = zip(operators, operands).map { (operator: $0, operand: $1) }
    self.offset = offset
  }

  /// The height of a node that holds the chain.
  var height: Int { max(first.height, maximumHeight(rest.map(\.operand))) + 1 }
}

/// `a < b <= c`: true when every neighbouring pair compares so.
final class Comparison: Expression {
  enum Relation: Sendable { case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, isIn, isNotIn }

  let chain: OperatorChain<Relation>
  let height: Int

  init(_ chain: OperatorChain<Relation>) {
    self.chain = chain
    height = chain.height
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    var left = try chain.first.evaluate(run, scope)
    for (relation, operand) in chain.rest {
      let right = try operand.evaluate(run, scope)
      run.position = chain.offset
      if !(try run.holds(relation, left, right)) { return .boolean(false) }
      left = right
    }
    return .boolean(true)
  }
}

/// `a + b - c`, or `a * b / c`, or `a ** b`: from the left.
final class Arithmetic: Expression {
  enum Operator: String, Sendable {
    case add = "+", subtract = "-", multiply = "*", divide = "/", floorDivide = "//", modulo = "%", power = "**"
  }

  let chain: OperatorChain<Operator>
  let height: Int

  init(_ chain: OperatorChain<Operator>) {
    self.chain = chain
    height = chain.height
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    var left = try chain.first.evaluate(run, scope)
    for (operation, operand) in chain.rest {
      let right = try operand.evaluate(run, scope)
      run.position = chain.offset
      left = try run.apply(operation, left, right)
    }
    return left
  }
}

/// `a ~ b ~ c`: the texts of all operands joined.
final class Concatenation: Expression {
  let operands: [any Expression]
  let height: Int

  init(_ operands: [any Expression]) {
    self.operands = operands
    height = maximumHeight(operands) + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    var result = Text()
    for operand in operands {
      let part = try run.text(of: try operand.evaluate(run, scope))
      result.append(run.autoescape && !part.isMarkup ? try run.escaped(part) : part)
    }
    result.isMarkup = run.autoescape
    return .string(try run.made(result))
  }
}

/// `a if x else b if y else c`.
final class Conditional: Expression {
  let branches: [(condition: any Expression, value: any Expression)]
  let otherwise: (any Expression)?
  let height: Int

  init(_ branches: [(condition: any Expression, value: any Expression)], otherwise: (any Expression)?) {
    self.branches = branches
    self.otherwise = otherwise
    height = max(maximumHeight(branches.flatMap { [$0.condition, $0.value] }), otherwise?.height ?? 0) + 1
  }

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value {
    for branch in branches where try branch.condition.evaluate(run, scope).isTrue {
      return try branch.value.evaluate(run, scope)
    }
    return try otherwise?.evaluate(run, scope) ?? Undefined.unnamed
  }
}
