/// A node of the tree that does something: prints, sets, chooses, repeats.
protocol Statement: AnyObject, Sendable {
  /// The longest path of nodes from here downwards, this one included.
  var height: Int { get }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow
}

/// How a statement ended.
enum Flow { case onward, leaveLoop, nextTurn }

/// Statements one after the other.
struct Block: Sendable {
  let statements: [any Statement]
  let height: Int

  init(_ statements: [any Statement]) {
    self.statements = statements
    var highest = 0
    for statement in statements { highest = max(highest, statement.height) }
    height = highest
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    for statement in statements {
      let flow = try statement.execute(run, scope)
      if flow != .onward { return flow }
    }
    return .onward
  }
}

/// Text between tags.
final class DataStatement: Statement {
  let text: Text
  let height = 1

  init(_ text: Text) { self.text = text }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    try run.emit(text)
    return .onward
  }
}

/// `{{ a }}`.
final class OutputStatement: Statement {
  let expression: any Expression
  let offset: Int
  let height: Int

  init(_ expression: any Expression, offset: Int) {
    self.expression = expression
    self.offset = offset
    height = expression.height + 1
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    let value = try expression.evaluate(run, scope)
    run.position = offset
    let text = try run.text(of: value)
    try run.emit(run.autoescape && !text.isMarkup ? try run.escaped(text) : text)
    return .onward
  }
}

/// `{% if %}` with its `elif` and `else` branches.
final class IfStatement: Statement {
  let branches: [(condition: any Expression, body: Block)]
  let otherwise: Block
  let height: Int

  init(_ branches: [(condition: any Expression, body: Block)], otherwise: Block) {
    self.branches = branches
    self.otherwise = otherwise
    var highest = otherwise.height
    for branch in branches { highest = max(highest, branch.condition.height, branch.body.height) }
    height = highest + 1
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    for branch in branches where try branch.condition.evaluate(run, scope).isTrue {
      return try branch.body.execute(run, scope)
    }
    return try otherwise.execute(run, scope)
  }
}

/// `{% break %}` and `{% continue %}`.
final class JumpStatement: Statement {
  let flow: Flow
  let height = 1

  init(_ flow: Flow) { self.flow = flow }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow { flow }
}
