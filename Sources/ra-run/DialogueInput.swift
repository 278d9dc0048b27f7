import Foundation

/// What a person can type in a conversation.
enum DialogueInput: Equatable, Sendable {
  case message(String)
  case blank
  case help
  case clear
  case tools
  case save(String?)
  case load(String)
  case system(String?)
  case exit
  /// A command that can't be followed, and why.
  case mistake(String)

  static let guide = """
    Type a message and press Return. A line that ends with \\ goes on in the next one; lines between \""" and \"""
    are one message. Ctrl-C stops an answer, Ctrl-D ends the conversation.
      /clear         forgets the conversation
      /system TEXT   changes the instructions that stand before it; alone it shows them
      /tools         shows the tools
      /save FILE     keeps the conversation in a file
      /load FILE     goes on with one that was kept
      /exit          ends the conversation (also /bye, /quit)
    """

  /// The meaning of a line, or of several that belong together.
  init(_ text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let words = trimmed.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let first = words.first else {
      self = .blank
      return
    }
    // A path or a fraction is a message.
    guard first.hasPrefix("/"), first.dropFirst().allSatisfy({ $0.isLetter || $0 == "?" }), first.count > 1 else {
      self = .message(text)
      return
    }
    let operand = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : nil
    switch (first, operand) {
    case ("/help", nil), ("/?", nil): self = .help
    case ("/clear", nil): self = .clear
    case ("/tools", nil): self = .tools
    case ("/exit", nil), ("/bye", nil), ("/quit", nil): self = .exit
    case ("/save", let file): self = .save(file)
    case ("/load", let file?): self = .load(file)
    case ("/load", nil): self = .mistake("/load wants a file")
    case ("/system", let text): self = .system(text)
    case ("/help", _), ("/?", _), ("/clear", _), ("/tools", _), ("/exit", _), ("/bye", _), ("/quit", _):
      self = .mistake("\(first) takes nothing behind it")
    default: self = .mistake("there is no \(first); /help shows what can be typed")
    }
  }

  /// Reads what belongs together: one line, lines joined by a backslash at their ends, or lines between triple quotes.
  ///
  /// - Parameter line: the next line, `nil` at the end of the input; gets the sign that invites it.
  /// - Returns: `nil` at the end of the input.
  static func read(line: (_ sign: String) -> String?) -> DialogueInput? {
    guard var current = line(first) else { return nil }
    if let block = opening(of: current) { return .message(quoted(block, line: line)) }
    var text = ""
    while current.hasSuffix("\\") {
      text += current.dropLast() + "\n"
      guard let next = line(further) else { return DialogueInput(String(text.dropLast())) }
      current = next
    }
    return DialogueInput(text + current)
  }

  private static let first = ">>> "
  private static let further = "... "
  private static let quotes = "\"\"\""

  /// What stands behind opening quotes; `nil` when there are none.
  private static func opening(of line: String) -> String? {
    line.hasPrefix(quotes) ? String(line.dropFirst(3)) : nil
  }

  private static func quoted(_ first: String, line: (String) -> String?) -> String {
    var lines = first.isEmpty ? [] : [first]
    if first.hasSuffix(quotes) { return String(first.dropLast(3)) }
    while let next = line(further) {
      if next.hasSuffix(quotes) {
        let last = String(next.dropLast(3))
        if !last.isEmpty { lines.append(last) }
        break
      }
      lines.append(next)
    }
    return lines.joined(separator: "\n")
  }
}
