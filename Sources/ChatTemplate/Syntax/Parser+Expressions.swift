/// How tightly a binary operator binds; a higher level binds tighter.
private enum Level: Int {
  case or, and, comparison, sum, concatenation, product, power, operand
}

extension Parser {
  /// An expression: a ternary or anything that binds tighter.
  mutating func parseExpression(allowingTernary: Bool = true) throws(TemplateError) -> any Expression {
    try enter(2)
    defer { leave(2) }
    let value = try parseOperators(from: .or)
    guard allowingTernary, looks(at: "if") else { return value }
    return try parseTernary(value)
  }

  private mutating func parseTernary(_ first: any Expression) throws(TemplateError) -> any Expression {
    var branches: [(condition: any Expression, value: any Expression)] = []
    var value = first
    while skip("if") {
      let condition = try parseOperators(from: .or)
      if skip("else") {
        branches.append((condition, value))
        value = try parseOperators(from: .or)
      } else {
        value = try checked(Conditional([(condition, value)], otherwise: nil))
      }
    }
    return branches.isEmpty ? value : try checked(Conditional(branches, otherwise: value))
  }

  /// Operands and operators of `lowest` and tighter levels, by precedence climbing: each run of operators of one level
  /// becomes one node, whose operands bind tighter.
  private mutating func parseOperators(from lowest: Level) throws(TemplateError) -> any Expression {
    try enter()
    defer { leave() }
    var value = looks(at: "not") ? try parseNegation() : try parseUnary()
    while let level = operatorLevel, level.rawValue >= lowest.rawValue {
      value = try parseChain(value, level)
    }
    return value
  }

  /// The level of the operator at hand; `nil` when there is none.
  private var operatorLevel: Level? {
    switch token.kind {
    case .name("or"): .or
    case .name("and"): .and
    case .name("in"): .comparison
    case .name("not"): ahead(1) == .name("in") ? .comparison : nil
    case .symbol(let symbol):
      switch symbol {
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .comparison
      case .add, .subtract: .sum
      case .tilde: .concatenation
      case .multiply, .divide, .floorDivide, .modulo: .product
      case .power: .power
      default: nil
      }
    default: nil
    }
  }

  private mutating func parseNegation() throws(TemplateError) -> any Expression {
    var count = 0
    while skip("not") { count += 1 }
    var value = try parseOperators(from: .comparison)
    // Two negations are a conversion to a boolean, four no more than two.
    for _ in 0..<(count > 2 ? 2 - count % 2 : count) { value = try checked(Negation(value)) }
    return value
  }

  /// `first` and the operators of `level` that follow it.
  private mutating func parseChain(_ first: any Expression, _ level: Level) throws(TemplateError) -> any Expression {
    let offset = token.offset
    let tighter = Level(rawValue: level.rawValue + 1) ?? .operand
    var signs: [Token.Kind] = []
    var operands: [any Expression] = []
    while operatorLevel == level {
      signs.append(token.kind)
      if looks(at: "not") { advance() }
      advance()
      operands.append(try parseOperators(from: tighter))
    }
    return try node(level, first, signs, operands, offset)
  }

  private func node(
    _ level: Level, _ first: any Expression, _ signs: [Token.Kind], _ operands: [any Expression], _ offset: Int
  ) throws(TemplateError) -> any Expression {
    switch level {
    case .or: return try checked(Logical([first] + operands, isAnd: false))
    case .and: return try checked(Logical([first] + operands, isAnd: true))
    case .concatenation: return try checked(Concatenation([first] + operands))
    case .comparison:
      return try checked(Comparison(OperatorChain(first, signs.map(relation), operands, offset: offset)))
    default:
      return try checked(Arithmetic(OperatorChain(first, signs.map(arithmetic), operands, offset: offset)))
    }
  }

  private func relation(_ sign: Token.Kind) -> Comparison.Relation {
    switch sign {
    case .symbol(.equal): .equal
    case .symbol(.notEqual): .notEqual
    case .symbol(.less): .less
    case .symbol(.lessOrEqual): .lessOrEqual
    case .symbol(.greater): .greater
    case .symbol(.greaterOrEqual): .greaterOrEqual
    case .name("not"): .isNotIn
    default: .isIn
    }
  }

  private func arithmetic(_ sign: Token.Kind) -> Arithmetic.Operator {
    guard case .symbol(let symbol) = sign else { return .add }
    return Arithmetic.Operator(rawValue: symbol.rawValue) ?? .add
  }

  /// Signs, a primary value and what follows it; filters and tests apply to the signed value.
  private mutating func parseUnary() throws(TemplateError) -> any Expression {
    if looks(at: .subtract) || looks(at: .add) { return try parseFilters(try parseSigned()) }
    return try parseFilters(try parsePostfix(try parsePrimary()))
  }

  private mutating func parseSigned() throws(TemplateError) -> any Expression {
    var signs: [(isMinus: Bool, offset: Int)] = []
    while looks(at: .subtract) || looks(at: .add) {
      signs.append((looks(at: .subtract), token.offset))
      advance()
    }
    var value = try parsePostfix(try parsePrimary())
    for sign in signs.reversed() {
      value = try checked(Sign(value, isMinus: sign.isMinus, offset: sign.offset))
    }
    return value
  }
}

// MARK: - Values

extension Parser {
  mutating func parsePrimary() throws(TemplateError) -> any Expression {
    if looks(at: .leftParenthesis) { return try parseParentheses() }
    if looks(at: .leftBracket) { return try parseList() }
    if looks(at: .leftBrace) { return try parseDictionary() }
    return try parseLeaf()
  }

  private mutating func parseParentheses() throws(TemplateError) -> any Expression {
    advance()
    let value = try parseTuple(inParentheses: true)
    try expect(.rightParenthesis)
    return value
  }

  private mutating func parseList() throws(TemplateError) -> any Expression {
    advance()
    return try checked(SequenceLiteral(try parseItems(until: .rightBracket), isTuple: false))
  }

  /// A name, a number or a string.
  private mutating func parseLeaf() throws(TemplateError) -> any Expression {
    let start = token
    advance()
    switch start.kind {
    case .name("true"), .name("True"): return Literal(.boolean(true))
    case .name("false"), .name("False"): return Literal(.boolean(false))
    case .name("none"), .name("None"): return Literal(.none)
    case .name(let name):
      let slot = slot(of: name)
      mentions.append(slot)
      return Variable(slot: slot)
    case .string(var text):
      while case .string(let next) = token.kind {
        text.append(next)
        advance()
      }
      return Literal(.string(text))
    case .integer(let number): return Literal(number.small.map { .integer($0) } ?? .big(number))
    case .float(let number): return Literal(.double(number))
    default: throw fail("unexpected \(start.description)", at: start.offset)
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

  private mutating func parseDictionary() throws(TemplateError) -> any Expression {
    let offset = token.offset
    advance()
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
    if endsTuple {
      guard inParentheses else { throw fail("expected an expression, found \(token.description)") }
      return SequenceLiteral([], isTuple: true)
    }
    let first = try parseExpression(allowingTernary: allowingTernary)
    return looks(at: .comma) ? try parseRest(of: first, allowingTernary: allowingTernary) : first
  }

  /// The tuple that begins with `first`, at whose comma we are.
  private mutating func parseRest(
    of first: any Expression, allowingTernary: Bool
  ) throws(TemplateError) -> any Expression {
    var items = [first]
    while skip(.comma), !endsTuple { items.append(try parseExpression(allowingTernary: allowingTernary)) }
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
    return try checked(BuiltinApplication.filter(base, name: name, arguments, offset: offset))
  }

  private mutating func parseTest(_ base: any Expression, _ offset: Int) throws(TemplateError) -> any Expression {
    let isNegated = skip("not")
    let name = try parseDottedName()
    var arguments = ArgumentList()
    if looks(at: .leftParenthesis) {
      arguments = try parseArguments()
    } else if looks(at: "is") {
      throw fail("tests cannot be chained with 'is'")
    } else if beginsTestArgument {
      try enter()
      defer { leave() }
      arguments.positional = [try parsePostfix(try parsePrimary())]
    }
    return try checked(BuiltinApplication.test(base, name: name, arguments, isNegated: isNegated, offset: offset))
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
