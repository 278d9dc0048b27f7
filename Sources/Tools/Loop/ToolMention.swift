/// The tools in words, for a prompt that must not show them as something to call.
///
/// A small model that sees definitions writes calls. Of names and descriptions in a sentence it can still tell what there is.
struct ToolMention: Sendable {
  /// What stands before the list; empty when nothing is to be mentioned.
  let introduction: String
  let tools: [ToolDefinition]

  /// What the system text begins with where the program gives none: models say what they can do as somebody.
  private static let persona = "You are a helpful assistant."
  private static let longestDescription = 120
  private static let longestList = 1000

  /// The conversation with the tools mentioned at the end of its system text.
  func added(to messages: [LLMMessage]) -> [LLMMessage] {
    guard !introduction.isEmpty, !tools.isEmpty else { return messages }
    guard let first = messages.first, first.role == .system else {
      return [.system("\(ToolMention.persona) \(text)")] + messages
    }
    return [.system("\(first.content)\n\n\(text)")] + messages.dropFirst()
  }

  /// The introduction and the tools; of a long list the last ones are left out.
  var text: String {
    var list = ""
    for tool in tools {
      let description = ToolMention.summary(of: tool.description)
      let item = description.isEmpty ? tool.name : "\(description) (\(tool.name))"
      guard list.utf8.count + item.utf8.count <= ToolMention.longestList else {
        list += "; and more"
        break
      }
      list += list.isEmpty ? item : "; \(item)"
    }
    return "\(introduction) \(list)."
  }

  /// The first sentence of a description, on one line and without its stop.
  static func summary(of description: String) -> String {
    var words = description.split(whereSeparator: \.isWhitespace)
    if let end = words.firstIndex(where: { $0.hasSuffix(".") }) { words.removeSubrange((end + 1)...) }
    var text = words.joined(separator: " ")
    if text.hasSuffix(".") { text.removeLast() }
    guard text.utf8.count > longestDescription else { return text }
    var short = ""
    for word in words {
      guard short.utf8.count + word.utf8.count < longestDescription else { break }
      short += short.isEmpty ? String(word) : " \(word)"
    }
    return "\(short) …"
  }
}
