/// A parsed template.
final class TemplateTree: Sendable {
  let source: SourceText
  let body: Block
  /// The names that the template uses; a slot is an index here.
  let names: [String]

  init(source: SourceText, body: Block, names: [String]) {
    self.source = source
    self.body = body
    self.names = names
  }

  /// Parses `text`.
  ///
  /// - Complexity: linear in the text.
  static func parse(_ text: String, limits: TemplateLimits) throws(TemplateError) -> TemplateTree {
    guard text.utf8.count <= limits.sourceBytes else {
      throw TemplateError(.limit, "the template has \(text.utf8.count) bytes, more than \(limits.sourceBytes)")
    }
    let source = SourceText(text)
    var parser = Parser(source, tokens: try Lexer.tokens(of: source), limits: limits)
    let body = try parser.parseTemplate()
    return TemplateTree(source: source, body: body, names: parser.names)
  }
}
