extension Parser {
  /// Statements up to a tag named in `ends`, whose name is left as the present token; up to the end of the template
  /// when `ends` is empty.
  mutating func parseBlock(until ends: [String]) throws(TemplateError) -> Block {
    try nested { (parser) throws(TemplateError) in try parser.parseStatements(until: ends) }
  }

  private mutating func parseStatements(until ends: [String]) throws(TemplateError) -> Block {
    let start = token.offset
    var statements: [any Statement] = []
    while true {
      let offset = token.offset
      switch token.kind {
      case .data(let text):
        advance()
        statements.append(DataStatement(text))
      case .variableBegin:
        advance()
        let value = try parseTuple()
        guard token.kind == .variableEnd else {
          throw fail("expected the end of the expression, found \(token.description)")
        }
        advance()
        statements.append(try checked(OutputStatement(value, offset: offset)))
      case .blockBegin:
        advance()
        if case .name(let name) = token.kind, ends.contains(name) { return Block(statements) }
        if let statement = try parseStatement(offset) { statements.append(try checked(statement)) }
      case .end:
        guard ends.isEmpty else {
          throw fail("the template ends while '\(ends.last ?? "")' is still to come", at: start)
        }
        return Block(statements)
      default: throw fail("unexpected \(token.description)")
      }
    }
  }

  /// The body of a statement whose tag ends here, up to and with its closing tag.
  private mutating func parseBody(closing end: String) throws(TemplateError) -> Block {
    try expectBlockEnd()
    let body = try parseBlock(until: [end])
    advance()
    try expectBlockEnd()
    return body
  }

  private mutating func parseStatement(_ offset: Int) throws(TemplateError) -> (any Statement)? {
    let name = try expectName()
    switch name {
    case "if": return try parseIf()
    case "for": return try parseFor(offset)
    case "set": return try parseSet(offset)
    case "macro": return try parseMacro()
    case "call": return try parseCall()
    case "filter": return try parseFilterBlock(offset)
    case "with": return try parseWith(offset)
    case "autoescape":
      let flag = try parseExpression()
      return ScopeStatement(autoescape: flag, body: try parseBody(closing: "endautoescape"), offset: offset)
    case "generation":
      return ScopeStatement(body: try parseBody(closing: "endgeneration"), offset: offset)
    case "block": return try parseNamedBlock(offset)
    case "break", "continue":
      try expectBlockEnd()
      return JumpStatement(name == "break" ? .leaveLoop : .nextTurn)
    case "include", "import", "from", "extends":
      throw source.error(
        .unsupported, "'\(name)' isn't available: a chat template cannot reach other files", at: offset)
    default: throw fail("unknown statement '\(name)'", at: offset)
    }
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
    try nested { (parser) throws(TemplateError) in
      if parser.skip(.leftParenthesis) {
        let inner = try parser.parseTarget(allowingMember: allowingMember)
        try parser.expect(.rightParenthesis)
        return inner
      }
      let offset = parser.token.offset
      let name = try parser.expectName()
      guard !["true", "false", "none", "True", "False", "None"].contains(name) else {
        throw parser.fail("'\(name)' cannot be assigned to", at: offset)
      }
      let slot = parser.slot(of: name)
      guard allowingMember, parser.skip(.dot) else { return .name(slot: slot) }
      return .member(slot: slot, name: Array(try parser.expectName().utf8))
    }
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
