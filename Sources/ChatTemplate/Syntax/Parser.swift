/// Builds the tree from tokens.
///
/// Precedence, loosest first: ternary, `or`, `and`, `not`, comparisons and `in`, `+ -`, `~`, `* / // %`, `**`, signs,
/// then filters, tests, attributes, items and calls from left to right. Source: the expression grammar of Jinja 3.1's
/// documentation, where it and Python differ (`-2**2` is 4, `a + b is string` tests `b`) Jinja's behaviour.
///
/// Recursion is bounded by `TemplateLimits.nesting`, and so is the height of the tree.
struct Parser {
  let source: SourceText
  let limits: TemplateLimits
  private let tokens: [Token]
  var position = 0
  private var nesting = 0

  private let table = NameTable()
  /// Names mentioned so far, to see whether a macro's body uses `varargs`, `kwargs` or `caller`.
  var mentions: [Int] = []

  init(_ source: SourceText, tokens: [Token], limits: TemplateLimits) {
    self.source = source
    self.tokens = tokens
    self.limits = limits
  }

  mutating func parseTemplate() throws(TemplateError) -> Block {
    let body = try parseBlock(until: [])
    guard token.kind == .end else { throw fail("unexpected \(token.description)") }
    return body
  }
}

// MARK: - Tokens

extension Parser {
  var token: Token { tokens[min(position, tokens.count - 1)] }

  func fail(_ message: String, at offset: Int? = nil) -> TemplateError {
    source.error(.syntax, message, at: offset ?? token.offset)
  }

  mutating func advance() { position += 1 }

  func looks(at symbol: Token.Symbol) -> Bool {
    if case .symbol(symbol) = token.kind { return true }
    return false
  }

  func looks(at name: String) -> Bool {
    if case .name(let present) = token.kind { return present == name }
    return false
  }

  /// The kind of the token `distance` places ahead.
  func ahead(_ distance: Int) -> Token.Kind {
    position + distance < tokens.count ? tokens[position + distance].kind : .end
  }

  mutating func skip(_ symbol: Token.Symbol) -> Bool {
    guard looks(at: symbol) else { return false }
    advance()
    return true
  }

  mutating func skip(_ name: String) -> Bool {
    guard looks(at: name) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: Token.Symbol) throws(TemplateError) {
    guard skip(symbol) else { throw fail("expected '\(symbol.rawValue)', found \(token.description)") }
  }

  mutating func expect(_ name: String) throws(TemplateError) {
    guard skip(name) else { throw fail("expected '\(name)', found \(token.description)") }
  }

  mutating func expectName() throws(TemplateError) -> String {
    guard case .name(let name) = token.kind else { throw fail("expected a name, found \(token.description)") }
    advance()
    return name
  }

  /// Ends a statement's tag.
  mutating func expectBlockEnd() throws(TemplateError) {
    guard token.kind == .blockEnd else { throw fail("expected the end of the statement, found \(token.description)") }
    advance()
  }

  /// The number of `name`.
  func slot(of name: String) -> Int { table.slot(of: name) }

  /// The names by their numbers.
  var names: [String] { table.names }

  /// Goes `levels` deeper; `leave` comes back.
  mutating func enter(_ levels: Int = 1) throws(TemplateError) {
    guard nesting + levels <= limits.nesting else {
      throw source.error(.limit, "the template nests more than \(limits.nesting) levels deep", at: token.offset)
    }
    nesting += levels
  }

  mutating func leave(_ levels: Int = 1) { nesting -= levels }

  /// `node`, unless it makes the tree too high.
  func checked(_ node: any Expression) throws(TemplateError) -> any Expression {
    guard node.height <= limits.nesting else {
      throw source.error(.limit, "the template nests more than \(limits.nesting) levels deep", at: token.offset)
    }
    return node
  }

  func checked(_ node: any Statement) throws(TemplateError) -> any Statement {
    guard node.height <= limits.nesting else {
      throw source.error(.limit, "the template nests more than \(limits.nesting) levels deep", at: token.offset)
    }
    return node
  }
}

/// The names of a template in the order in which they were first met.
private final class NameTable {
  private(set) var names: [String] = []
  private var slots: [String: Int] = [:]

  func slot(of name: String) -> Int {
    if let slot = slots[name] { return slot }
    slots[name] = names.count
    names.append(name)
    return names.count - 1
  }
}
