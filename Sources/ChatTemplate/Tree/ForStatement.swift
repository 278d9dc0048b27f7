/// `{% for a in b if c %}…{% else %}…{% endfor %}`.
final class ForStatement: Statement {
  let target: Target
  let iterable: any Expression
  let condition: (any Expression)?
  let body: Block
  let otherwise: Block
  /// The slot of the name `loop`.
  let loopSlot: Int
  let isRecursive: Bool
  let offset: Int
  let height: Int

  init(
    target: Target, iterable: any Expression, condition: (any Expression)?, body: Block, otherwise: Block,
    loopSlot: Int, isRecursive: Bool, offset: Int
  ) {
    self.target = target
    self.iterable = iterable
    self.condition = condition
    self.body = body
    self.otherwise = otherwise
    self.loopSlot = loopSlot
    self.isRecursive = isRecursive
    self.offset = offset
    height = max(iterable.height, condition?.height ?? 0, body.height, otherwise.height) + 1
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    let value = try iterable.evaluate(run, scope)
    run.position = offset
    return try iterate(run, try run.items(of: value), depth: 1, scope)
  }

  /// One walk over `items`; `depth` counts the walks of a recursive loop that are active.
  func iterate(_ run: Interpreter, _ items: [Value], depth: Int, _ scope: Scope?) throws(TemplateError) -> Flow {
    let loop = LoopState(self, items, depth: depth, scope)
    var inner = Scope(parent: scope)
    // As in Jinja, `else` is left out once a turn has come to its end: turns that jump away don't count.
    var completedATurn = false
    while let item = try loop.advance(run) {
      if inner.isCaptured {
        inner = Scope(parent: scope)
      } else {
        inner.removeAll()
      }
      try run.step()
      inner.set(loopSlot, .loop(loop))
      run.position = offset
      try run.assign(item, to: target, in: inner)
      let flow = try body.execute(run, inner)
      if flow == .leaveLoop { break }
      if flow == .onward { completedATurn = true }
    }
    inner.removeAllUnlessCaptured()
    return completedATurn ? .onward : try otherwise.execute(run, Scope(parent: scope))
  }

  /// Whether `item` passes the loop's `if`.
  func accepts(_ item: Value, _ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Bool {
    guard let condition else { return true }
    let inner = Scope(parent: scope)
    try run.assign(item, to: target, in: inner)
    return try condition.evaluate(run, inner).isTrue
  }
}

/// What the name `loop` stands for inside a loop.
final class LoopState {
  private let statement: ForStatement
  private let scope: Scope?
  private var items: [Value]
  private var cursor = 0
  /// The item after the present one, once it was looked for.
  private var lookahead: Value?
  private(set) var index = 0
  private(set) var previous: Value?
  private(set) var present: Value?
  let nesting: Int
  let depth: Int
  private var lastChanged: [Value]?
  /// Whether the condition was already applied to `items`.
  private var isFiltered = false

  init(_ statement: ForStatement, _ items: [Value], depth nesting: Int, _ scope: Scope?) {
    self.statement = statement
    self.items = items
    self.nesting = nesting
    self.scope = scope
    depth = ValueList.depth(of: items)
  }

  /// Moves on to the next item that passes the loop's condition.
  func advance(_ run: Interpreter) throws(TemplateError) -> Value? {
    guard let item = try peek(run) else { return nil }
    lookahead = nil
    previous = present
    present = item
    index += 1
    return item
  }

  private func peek(_ run: Interpreter) throws(TemplateError) -> Value? {
    if let lookahead { return lookahead }
    while cursor < items.count {
      let item = items[cursor]
      cursor += 1
      let passes = isFiltered ? true : try statement.accepts(item, run, scope)
      if passes {
        lookahead = item
        return item
      }
    }
    return nil
  }

  /// The number of items, those that a condition drops not counted.
  private func length(_ run: Interpreter) throws(TemplateError) -> Int {
    guard statement.condition != nil else { return items.count }
    var rest: [Value] = []
    while let item = try peek(run) {
      lookahead = nil
      rest.append(item)
    }
    items = rest
    cursor = 0
    // From here on the condition was applied to what is left, once.
    isFiltered = true
    return index + rest.count
  }

  func attribute(_ name: String, _ run: Interpreter) throws(TemplateError) -> Value? {
    switch name {
    case "index": .integer(index)
    case "index0": .integer(index - 1)
    case "first": .boolean(index == 1)
    case "last": .boolean(try peek(run) == nil)
    case "length": .integer(try length(run))
    case "revindex": .integer(try length(run) - index + 1)
    case "revindex0": .integer(try length(run) - index)
    case "previtem": previous ?? Undefined.unnamed
    case "nextitem": try peek(run) ?? Undefined.unnamed
    case "depth": .integer(nesting)
    case "depth0": .integer(nesting - 1)
    case "cycle": .callable(LoopMethod(self, isCycle: true))
    case "changed": .callable(LoopMethod(self, isCycle: false))
    default: nil
    }
  }

  /// `loop(items)` in a recursive loop.
  func recurse(_ items: [Value], _ run: Interpreter) throws(TemplateError) -> Value {
    guard statement.isRecursive else {
      throw run.fail(.type, "the loop must be marked 'recursive' to be called")
    }
    try run.enter(statement.height)
    defer { run.leave(statement.height) }
    let outer = run.beginCapture()
    _ = try statement.iterate(run, items, depth: nesting + 1, scope)
    return .string(run.endCapture(outer))
  }

  fileprivate func changed(_ values: [Value], _ run: Interpreter) throws(TemplateError) -> Bool {
    if let lastChanged, lastChanged.count == values.count {
      var same = true
      for (old, new) in zip(lastChanged, values) where !(try run.equal(old, new)) { same = false }
      if same { return false }
    }
    lastChanged = values
    return true
  }
}

/// `loop.cycle` and `loop.changed`.
final class LoopMethod: Callable {
  private let loop: LoopState
  private let isCycle: Bool

  init(_ loop: LoopState, isCycle: Bool) {
    self.loop = loop
    self.isCycle = isCycle
  }

  var name: String { isCycle ? "cycle" : "changed" }
  var depth: Int { loop.depth + 1 }

  func call(_ arguments: CallArguments, _ run: Interpreter) throws(TemplateError) -> Value {
    if !isCycle { return .boolean(try loop.changed(arguments.positional, run)) }
    guard !arguments.positional.isEmpty else { throw run.fail(.type, "no items for cycling given") }
    return arguments.positional[(loop.index - 1) % arguments.positional.count]
  }
}
