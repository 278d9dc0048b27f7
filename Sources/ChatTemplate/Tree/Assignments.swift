/// What an assignment or a loop puts its value into.
indirect enum Target: Sendable {
  case name(slot: Int)
  case tuple([Target])
  case member(slot: Int, name: [UInt8])
}

/// `{% set a, b = x %}`.
final class SetStatement: Statement {
  let target: Target
  let value: any Expression
  let offset: Int
  let height: Int

  init(_ target: Target, _ value: any Expression, offset: Int) {
    self.target = target
    self.value = value
    self.offset = offset
    height = value.height + 1
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    let result = try value.evaluate(run, scope)
    run.position = offset
    try run.assign(result, to: target, in: scope)
    return .onward
  }
}

/// `{% set a %}…{% endset %}`, with filters or without.
final class SetBlockStatement: Statement {
  let target: Target
  /// Filters around a `CapturedText`.
  let filter: (any Expression)?
  let body: Block
  let offset: Int
  let height: Int

  init(_ target: Target, filter: (any Expression)?, body: Block, offset: Int) {
    self.target = target
    self.filter = filter
    self.body = body
    self.offset = offset
    height = max(body.height, filter?.height ?? 0) + 1
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    let (text, flow) = try run.capture(body, Scope(parent: scope))
    guard flow == .onward else { return flow }
    run.captured = text
    let value = try filter?.evaluate(run, scope) ?? .string(text)
    run.position = offset
    try run.assign(value, to: target, in: scope)
    return .onward
  }
}

/// The text that a block just captured, at the bottom of a chain of filters.
final class CapturedText: Expression {
  let height = 1

  func evaluate(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Value { .string(run.captured) }
}

/// `{% filter f %}…{% endfilter %}`.
final class FilterStatement: Statement {
  let filter: any Expression
  let body: Block
  let height: Int

  init(_ filter: any Expression, body: Block) {
    self.filter = filter
    self.body = body
    height = max(body.height, filter.height) + 1
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    let (text, flow) = try run.capture(body, Scope(parent: scope))
    guard flow == .onward else { return flow }
    run.captured = text
    try run.emit(try run.text(of: try filter.evaluate(run, scope)))
    return .onward
  }
}

/// `{% with a = x %}…{% endwith %}`, and every other block with a scope of its own.
final class ScopeStatement: Statement {
  let assignments: [(target: Target, value: any Expression)]
  /// `{% autoescape x %}`.
  let autoescape: (any Expression)?
  let body: Block
  let offset: Int
  let height: Int

  init(
    _ assignments: [(target: Target, value: any Expression)] = [], autoescape: (any Expression)? = nil, body: Block,
    offset: Int
  ) {
    self.assignments = assignments
    self.autoescape = autoescape
    self.body = body
    self.offset = offset
    height = max(body.height, maximumHeight(assignments.map(\.value)), autoescape?.height ?? 0) + 1
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    let inner = Scope(parent: scope)
    for (target, value) in assignments {
      let result = try value.evaluate(run, scope)
      run.position = offset
      try run.assign(result, to: target, in: inner)
    }
    let before = run.autoescape
    if let autoescape { run.autoescape = try autoescape.evaluate(run, scope).isTrue }
    defer { run.autoescape = before }
    return try body.execute(run, inner)
  }
}
