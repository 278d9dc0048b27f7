/// The names that begin a statement.
private enum Keyword: String {
  case `if`, `for`, set, macro, call, filter, with, autoescape, generation, block, `break`, `continue`
}

extension Parser {
  /// Statements up to a tag named in `ends`, whose name is left as the present token; up to the end of the template
  /// when `ends` is empty.
  ///
  /// What recursion passes through is kept small, and whatever needs a large stack frame is a function of its own.
  mutating func parseBlock(until ends: [String]) throws(TemplateError) -> Block {
    try enter(Parser.levelsOfBlock)
    defer { leave(Parser.levelsOfBlock) }
    let start = token.offset
    var statements: [any Statement] = []
    while true {
      if let statement = try parseText() {
        statements.append(statement)
      } else if try endsBlock(ends, from: start) {
        return Block(statements)
      } else {
        statements.append(try parseStatement())
      }
    }
  }

  /// How many levels of nesting a block counts for, by the stack that it takes.
  private static let levelsOfBlock = 3

  /// Text or an expression to be printed; `nil` at anything else.
  private mutating func parseText() throws(TemplateError) -> (any Statement)? {
    let offset = token.offset
    if case .data(let text) = token.kind {
      advance()
      return DataStatement(text)
    }
    guard token.kind == .variableBegin else { return nil }
    advance()
    let value = try parseTuple()
    guard token.kind == .variableEnd else {
      throw fail("expected the end of the expression, found \(token.description)")
    }
    advance()
    return try checked(OutputStatement(value, offset: offset))
  }

  /// Whether a closing tag of the block is at hand, or the end of the template that it runs to. Passes the beginning
  /// of the tag in any case.
  private mutating func endsBlock(_ ends: [String], from start: Int) throws(TemplateError) -> Bool {
    if token.kind == .end {
      guard let end = ends.last else { return true }
      throw fail("the template ends while '\(end)' is still to come", at: start)
    }
    guard token.kind == .blockBegin else { throw fail("unexpected \(token.description)") }
    advance()
    guard case .name(let name) = token.kind else { return false }
    return ends.contains(name)
  }

  /// The body of a statement whose tag ends here, up to and with its closing tag.
  private mutating func parseBody(closing end: String) throws(TemplateError) -> Block {
    try expectBlockEnd()
    let body = try parseBlock(until: [end])
    advance()
    try expectBlockEnd()
    return body
  }

  private mutating func parseStatement() throws(TemplateError) -> any Statement {
    let offset = token.offset
    let keyword = try parseKeyword()
    return try checked(try parseStatement(keyword, offset))
  }

  private mutating func parseStatement(_ keyword: Keyword, _ offset: Int) throws(TemplateError) -> any Statement {
    switch keyword {
    case .if: try parseIf()
    case .for: try parseFor(offset)
    case .set: try parseSet(offset)
    case .macro: try parseMacro()
    case .call: try parseCall()
    case .filter: try parseFilterBlock(offset)
    case .with: try parseWith(offset)
    case .autoescape: try parseAutoescape(offset)
    case .generation: ScopeStatement(body: try parseBody(closing: "endgeneration"), offset: offset)
    case .block: try parseNamedBlock(offset)
    case .break: try parseJump(.leaveLoop)
    case .continue: try parseJump(.nextTurn)
    }
  }

  private mutating func parseKeyword() throws(TemplateError) -> Keyword {
    let offset = token.offset
    let name = try expectName()
    if let keyword = Keyword(rawValue: name) { return keyword }
    guard ["include", "import", "from", "extends"].contains(name) else {
      throw fail("unknown statement '\(name)'", at: offset)
    }
    throw source.error(.unsupported, "'\(name)' isn't available: a chat template cannot reach other files", at: offset)
  }

  private mutating func parseJump(_ flow: Flow) throws(TemplateError) -> any Statement {
    try expectBlockEnd()
    return JumpStatement(flow)
  }

  private mutating func parseAutoescape(_ offset: Int) throws(TemplateError) -> any Statement {
    let flag = try parseExpression()
    return ScopeStatement(autoescape: flag, body: try parseBody(closing: "endautoescape"), offset: offset)
  }

  private mutating func parseIf() throws(TemplateError) -> any Statement {
    var branches: [(condition: any Expression, body: Block)] = []
    while true {
      let condition = try parseTuple(allowingTernary: false)
      try expectBlockEnd()
      branches.append((condition, try parseBlock(until: ["elif", "else", "endif"])))
      if skip("elif") { continue }
      var otherwise = Block([])
      if skip("else") {
        try expectBlockEnd()
        otherwise = try parseBlock(until: ["endif"])
      }
      try expect("endif")
      try expectBlockEnd()
      return IfStatement(branches, otherwise: otherwise)
    }
  }

  private mutating func parseFor(_ offset: Int) throws(TemplateError) -> any Statement {
    let target = try parseTarget(allowingMember: false)
    try expect("in")
    let iterable = try parseTuple(allowingTernary: false)
    let condition = skip("if") ? try parseExpression() : nil
    let isRecursive = skip("recursive")
    try expectBlockEnd()
    let body = try parseBlock(until: ["endfor", "else"])
    var otherwise = Block([])
    if skip("else") {
      try expectBlockEnd()
      otherwise = try parseBlock(until: ["endfor"])
    }
    try expect("endfor")
    try expectBlockEnd()
    return ForStatement(
      target: target, iterable: iterable, condition: condition, body: body, otherwise: otherwise,
      loopSlot: slot(of: "loop"), isRecursive: isRecursive, offset: offset)
  }

  private mutating func parseSet(_ offset: Int) throws(TemplateError) -> any Statement {
    let target = try parseTarget(allowingMember: true)
    if skip(.assign) {
      let value = try parseTuple()
      try expectBlockEnd()
      return SetStatement(target, value, offset: offset)
    }
    var filter: (any Expression)?
    while looks(at: .pipe) { filter = try parseFilter(filter ?? CapturedText()) }
    return SetBlockStatement(target, filter: filter, body: try parseBody(closing: "endset"), offset: offset)
  }

  private mutating func parseFilterBlock(_ offset: Int) throws(TemplateError) -> any Statement {
    var filter = try parseFilterName(CapturedText(), offset)
    while looks(at: .pipe) { filter = try parseFilter(filter) }
    return FilterStatement(filter, body: try parseBody(closing: "endfilter"))
  }

  private mutating func parseWith(_ offset: Int) throws(TemplateError) -> any Statement {
    var assignments: [(target: Target, value: any Expression)] = []
    while token.kind != .blockEnd {
      if !assignments.isEmpty { try expect(.comma) }
      let target = try parseTarget(allowingMember: false)
      try expect(.assign)
      assignments.append((target, try parseExpression()))
    }
    return ScopeStatement(assignments, body: try parseBody(closing: "endwith"), offset: offset)
  }

  private mutating func parseNamedBlock(_ offset: Int) throws(TemplateError) -> any Statement {
    let name = try expectName()
    _ = skip("scoped")
    _ = skip("required")
    try expectBlockEnd()
    let body = try parseBlock(until: ["endblock"])
    advance()
    _ = skip(name)
    try expectBlockEnd()
    return ScopeStatement(body: body, offset: offset)
  }

  /// The names that an assignment or a loop sets.
  private mutating func parseTarget(allowingMember: Bool) throws(TemplateError) -> Target {
    let first = try parseSingleTarget(allowingMember: allowingMember)
    guard looks(at: .comma) else { return first }
    var targets = [first]
    while skip(.comma) {
      if looks(at: "in") || looks(at: .assign) || token.kind == .blockEnd { break }
      targets.append(try parseSingleTarget(allowingMember: allowingMember))
    }
    return .tuple(targets)
  }

  private mutating func parseSingleTarget(allowingMember: Bool) throws(TemplateError) -> Target {
    try enter()
    defer { leave() }
    if skip(.leftParenthesis) {
      let inner = try parseTarget(allowingMember: allowingMember)
      try expect(.rightParenthesis)
      return inner
    }
    let offset = token.offset
    let name = try expectName()
    guard !["true", "false", "none", "True", "False", "None"].contains(name) else {
      throw fail("'\(name)' cannot be assigned to", at: offset)
    }
    let slot = slot(of: name)
    guard allowingMember, skip(.dot) else { return .name(slot: slot) }
    return .member(slot: slot, name: Array(try expectName().utf8))
  }
}

// MARK: - Macros

extension Parser {
  private mutating func parseMacro() throws(TemplateError) -> any Statement {
    let name = try expectName()
    let definition = try parseDefinition(name: name, hasSignature: true, closing: "endmacro")
    return MacroStatement(definition, slot: slot(of: name))
  }

  private mutating func parseCall() throws(TemplateError) -> any Statement {
    let signature = looks(at: .leftParenthesis) ? try parseSignature() : Signature()
    let offset = token.offset
    guard let call = try parseExpression() as? Call else { throw fail("expected a call", at: offset) }
    let definition = try parseDefinition(name: "caller", signature: signature, closing: "endcall")
    return CallStatement(call, definition)
  }

  private mutating func parseDefinition(
    name: String, hasSignature: Bool, closing end: String
  ) throws(TemplateError) -> MacroDefinition {
    try parseDefinition(name: name, signature: try parseSignature(), closing: end)
  }

  private mutating func parseDefinition(
    name: String, signature: Signature, closing end: String
  ) throws(TemplateError) -> MacroDefinition {
    let before = mentions.count
    let body = try parseBody(closing: end)
    let mentioned = Set(mentions[before...])
    func slotIfMentioned(_ name: String, _ slot: Int) -> Int? { mentioned.contains(slot) ? slot : nil }
    return MacroDefinition(
      name: name, signature: signature, body: body,
      varargs: slotIfMentioned("varargs", slot(of: "varargs")), kwargs: slotIfMentioned("kwargs", slot(of: "kwargs")),
      caller: slotIfMentioned("caller", slot(of: "caller")))
  }

  private mutating func parseSignature() throws(TemplateError) -> Signature {
    var signature = Signature()
    try expect(.leftParenthesis)
    while !looks(at: .rightParenthesis) {
      if !signature.parameters.isEmpty { try expect(.comma) }
      let name = try expectName()
      let slot = slot(of: name)
      if skip(.assign) {
        signature.parameters.append((slot, name, try parseExpression()))
      } else {
        guard signature.parameters.last?.initial == nil else {
          throw fail("a parameter without a default follows one with a default")
        }
        signature.parameters.append((slot, name, nil))
      }
    }
    advance()
    return signature
  }
}
