extension Parser {
  /// An expression: a ternary or anything that binds tighter.
  mutating func parseExpression(allowingTernary: Bool = true) throws(TemplateError) -> any Expression {
    try nested { (parser) throws(TemplateError) in
      let value = try parser.parseLogical()
      return allowingTernary ? try parser.parseTernary(value) : value
    }
  }

  private mutating func parseTernary(_ first: any Expression) throws(TemplateError) -> any Expression {
    guard looks(at: "if") else { return first }
    var branches: [(condition: any Expression, value: any Expression)] = []
    var value = first
    while skip("if") {
      branches.append((try parseLogical(), value))
      guard skip("else") else { return try checked(Conditional(branches, otherwise: nil)) }
      value = try parseLogical()
    }
    return try checked(Conditional(branches, otherwise: value))
  }

  /// Operands joined by `or`, each of operands joined by `and`.
  private mutating func parseLogical() throws(TemplateError) -> any Expression {
    var alternatives: [any Expression] = []
    repeat {
      var operands: [any Expression] = []
      repeat { operands.append(try parseNegation()) } while skip("and")
      alternatives.append(operands.count == 1 ? operands[0] : try checked(Logical(operands, isAnd: true)))
    } while skip("or")
    return alternatives.count == 1 ? alternatives[0] : try checked(Logical(alternatives, isAnd: false))
  }

  private mutating func parseNegation() throws(TemplateError) -> any Expression {
    var count = 0
    while skip("not") { count += 1 }
    var value = try parseComparison()
    // Two negations are a conversion to a boolean, four no more than two.
    for _ in 0..<(count > 2 ? 2 - count % 2 : count) { value = try checked(Negation(value)) }
    return value
  }

  private mutating func parseComparison() throws(TemplateError) -> any Expression {
    let offset = token.offset
    let first = try parseSum()
    var rest: [(relation: Comparison.Relation, operand: any Expression)] = []
    while let relation = takeRelation() { rest.append((relation, try parseSum())) }
    return rest.isEmpty ? first : try checked(Comparison(first, rest, offset: offset))
  }

  private mutating func takeRelation() -> Comparison.Relation? {
    let relation: Comparison.Relation
    switch token.kind {
    case .symbol(.equal): relation = .equal
    case .symbol(.notEqual): relation = .notEqual
    case .symbol(.less): relation = .less
    case .symbol(.lessOrEqual): relation = .lessOrEqual
    case .symbol(.greater): relation = .greater
    case .symbol(.greaterOrEqual): relation = .greaterOrEqual
    case .name("in"): relation = .isIn
    case .name("not") where ahead(1) == .name("in"):
      relation = .isNotIn
      advance()
    default: return nil
    }
    advance()
    return relation
  }

  private mutating func parseSum() throws(TemplateError) -> any Expression {
    try parseChain([.add: .add, .subtract: .subtract]) { (parser) throws(TemplateError) in
      try parser.parseConcatenation()
    }
  }

  private mutating func parseConcatenation() throws(TemplateError) -> any Expression {
    var operands = [try parseProduct()]
    while skip(.tilde) { operands.append(try parseProduct()) }
    return operands.count == 1 ? operands[0] : try checked(Concatenation(operands))
  }

  private mutating func parseProduct() throws(TemplateError) -> any Expression {
    try parseChain([.multiply: .multiply, .divide: .divide, .floorDivide: .floorDivide, .modulo: .modulo]) {
      (parser) throws(TemplateError) in
      try parser.parseChain([.power: .power]) { (parser) throws(TemplateError) in
        try parser.parseUnary(takingFilters: true)
      }
    }
  }

  private mutating func parseChain(
    _ operators: [Token.Symbol: Arithmetic.Operator],
    _ operand: (inout Parser) throws(TemplateError) -> any Expression
  ) throws(TemplateError) -> any Expression {
    let offset = token.offset
    let first = try operand(&self)
    var rest: [(operator: Arithmetic.Operator, operand: any Expression)] = []
    while case .symbol(let symbol) = token.kind, let operation = operators[symbol] {
      advance()
      rest.append((operation, try operand(&self)))
    }
    return rest.isEmpty ? first : try checked(Arithmetic(first, rest, offset: offset))
  }

  /// Signs, a primary value and what follows it; filters and tests apply to the signed value.
  private mutating func parseUnary(takingFilters: Bool) throws(TemplateError) -> any Expression {
    var signs: [(isMinus: Bool, offset: Int)] = []
    while looks(at: .subtract) || looks(at: .add) {
      signs.append((looks(at: .subtract), token.offset))
      advance()
    }
    var value = try parsePostfix(try parsePrimary())
    for sign in signs.reversed() {
      value = try checked(Sign(value, isMinus: sign.isMinus, offset: sign.offset))
    }
    return takingFilters ? try parseFilters(value) : value
  }
}

// MARK: - Values

extension Parser {
  mutating func parsePrimary() throws(TemplateError) -> any Expression {
    let start = token
    advance()
    switch start.kind {
    case .name(let name):
      switch name {
      case "true", "True": return Literal(.boolean(true))
      case "false", "False": return Literal(.boolean(false))
      case "none", "None": return Literal(.none)
      default:
        let slot = slot(of: name)
        mentions.append(slot)
        return Variable(slot: slot)
      }
    case .string(var text):
      while case .string(let next) = token.kind {
        text.append(next)
        advance()
      }
      return Literal(.string(text))
    case .integer(let number): return Literal(number.small.map { .integer($0) } ?? .big(number))
    case .float(let number): return Literal(.double(number))
    case .symbol(.leftParenthesis):
      let value = try parseTuple(inParentheses: true)
      try expect(.rightParenthesis)
      return value
    case .symbol(.leftBracket):
      return try checked(SequenceLiteral(try parseItems(until: .rightBracket), isTuple: false))
    case .symbol(.leftBrace): return try parseDictionary(start.offset)
    default:
      position -= 1
      throw fail("unexpected \(start.description)")
    }
  }

  private mutating func parseItems(until end: Token.Symbol) throws(TemplateError) -> [any Expression] {
    var items: [any Expression] = []
    while !looks(at: end) {
      items.append(try parseExpression())
      if !looks(at: end) { try expect(.comma) }
    }
    advance()
    return items
  }

  private mutating func parseDictionary(_ offset: Int) throws(TemplateError) -> any Expression {
    var entries: [(key: any Expression, value: any Expression)] = []
    while !looks(at: .rightBrace) {
      let key = try parseExpression()
      try expect(.colon)
      entries.append((key, try parseExpression()))
      if !looks(at: .rightBrace) { try expect(.comma) }
    }
    advance()
    return try checked(DictionaryLiteral(entries, offset: offset))
  }

  /// One expression, or several with commas as a tuple.
  mutating func parseTuple(
    inParentheses: Bool = false, allowingTernary: Bool = true
  ) throws(TemplateError) -> any Expression {
    var items: [any Expression] = []
    var isTuple = false
    while true {
      if !items.isEmpty || isTuple {
        guard skip(.comma) else { break }
        isTuple = true
      }
      if endsTuple { break }
      items.append(try parseExpression(allowingTernary: allowingTernary))
      if !looks(at: .comma) { break }
    }
    if !isTuple {
      if let only = items.first { return only }
      guard inParentheses else { throw fail("expected an expression, found \(token.description)") }
    }
    return try checked(SequenceLiteral(items, isTuple: true))
  }

  private var endsTuple: Bool {
    switch token.kind {
    case .variableEnd, .blockEnd, .symbol(.rightParenthesis): true
    default: false
    }
  }
}

// MARK: - What follows a value

extension Parser {
  /// Attributes, items and calls.
  private mutating func parsePostfix(_ base: any Expression) throws(TemplateError) -> any Expression {
    var value = base
    while true {
      let offset = token.offset
      if skip(.dot) {
        value = try parseMember(value, offset)
      } else if skip(.leftBracket) {
        value = try parseItem(value, offset)
      } else if looks(at: .leftParenthesis) {
        value = try checked(Call(value, try parseArguments(), offset: offset))
      } else {
        return value
      }
    }
  }

  private mutating func parseMember(_ base: any Expression, _ offset: Int) throws(TemplateError) -> any Expression {
    switch token.kind {
    case .name(let name):
      advance()
      return try checked(Attribute(base, name: name, offset: offset))
    case .integer(let number):
      advance()
      return try checked(Subscript(base, key: Literal(.integer(number.small ?? .max)), offset: offset))
    default: throw fail("expected a name after '.', found \(token.description)")
    }
  }

  private mutating func parseItem(_ base: any Expression, _ offset: Int) throws(TemplateError) -> any Expression {
    if let slice = try parseSlice(base, offset) { return slice }
    let first = try parseExpression()
    if skip(.colon) { return try parseSlice(base, offset, start: first) }
    var keys = [first]
    while skip(.comma) { keys.append(try parseExpression()) }
    try expect(.rightBracket)
    let key = keys.count == 1 ? first : try checked(SequenceLiteral(keys, isTuple: true))
    return try checked(Subscript(base, key: key, offset: offset))
  }

  /// A slice without a start, if one begins here.
  private mutating func parseSlice(_ base: any Expression, _ offset: Int) throws(TemplateError) -> (any Expression)? {
    guard skip(.colon) else { return nil }
    return try parseSlice(base, offset, start: nil)
  }

  private mutating func parseSlice(
    _ base: any Expression, _ offset: Int, start: (any Expression)?
  ) throws(TemplateError) -> any Expression {
    var stop: (any Expression)?
    var stride: (any Expression)?
    if !looks(at: .colon), !looks(at: .rightBracket) { stop = try parseExpression() }
    if skip(.colon), !looks(at: .rightBracket) { stride = try parseExpression() }
    try expect(.rightBracket)
    return try checked(Slice(base, start: start, stop: stop, stride: stride, offset: offset))
  }

  /// Filters, tests and calls of what they give.
  mutating func parseFilters(_ base: any Expression) throws(TemplateError) -> any Expression {
    var value = base
    while true {
      let offset = token.offset
      if looks(at: .pipe) {
        value = try parseFilter(value)
      } else if skip("is") {
        value = try parseTest(value, offset)
      } else if looks(at: .leftParenthesis) {
        value = try checked(Call(value, try parseArguments(), offset: offset))
      } else {
        return value
      }
    }
  }

  /// One filter, the bar included.
  mutating func parseFilter(_ base: any Expression) throws(TemplateError) -> any Expression {
    let offset = token.offset
    try expect(.pipe)
    return try parseFilterName(base, offset)
  }

  mutating func parseFilterName(_ base: any Expression, _ offset: Int) throws(TemplateError) -> any Expression {
    let name = try parseDottedName()
    let arguments = looks(at: .leftParenthesis) ? try parseArguments() : ArgumentList()
    return try checked(FilterApplication(base, name: name, arguments, offset: offset))
  }

  private mutating func parseTest(_ base: any Expression, _ offset: Int) throws(TemplateError) -> any Expression {
    let isNegated = skip("not")
    let name = try parseDottedName()
    var arguments = ArgumentList()
    if looks(at: .leftParenthesis) {
      arguments = try parseArguments()
    } else if beginsTestArgument {
      arguments.positional = [
        try nested { (parser) throws(TemplateError) in try parser.parsePostfix(try parser.parsePrimary()) }
      ]
    }
    return try checked(TestApplication(base, name: name, arguments, isNegated: isNegated, offset: offset))
  }

  private var beginsTestArgument: Bool {
    switch token.kind {
    case .name(let name): !["else", "or", "and", "is", "if", "in", "not", "recursive"].contains(name)
    case .string, .integer, .float, .symbol(.leftBracket), .symbol(.leftBrace): true
    default: false
    }
  }

  private mutating func parseDottedName() throws(TemplateError) -> String {
    var name = try expectName()
    while skip(.dot) { name += "." + (try expectName()) }
    return name
  }

  /// The arguments of a call, parentheses included.
  mutating func parseArguments() throws(TemplateError) -> ArgumentList {
    var arguments = ArgumentList()
    try expect(.leftParenthesis)
    var isFirst = true
    while !looks(at: .rightParenthesis) {
      if !isFirst {
        try expect(.comma)
        if looks(at: .rightParenthesis) { break }
      }
      isFirst = false
      try parseArgument(into: &arguments)
    }
    advance()
    return arguments
  }

  private mutating func parseArgument(into arguments: inout ArgumentList) throws(TemplateError) {
    if skip(.multiply) {
      guard arguments.list == nil else { throw fail("only one '*' argument is allowed") }
      arguments.list = try parseExpression()
    } else if skip(.power) {
      guard arguments.dictionary == nil else { throw fail("only one '**' argument is allowed") }
      arguments.dictionary = try parseExpression()
    } else if case .name(let name) = token.kind, ahead(1) == .symbol(.assign) {
      position += 2
      arguments.keywords.append((name, try parseExpression()))
    } else {
      guard arguments.keywords.isEmpty, arguments.list == nil, arguments.dictionary == nil else {
        throw fail("a positional argument cannot follow a keyword argument")
      }
      arguments.positional.append(try parseExpression())
    }
  }
}
