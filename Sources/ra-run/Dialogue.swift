import Arguments
import RunAnywhere

/// The conversation with a person: a line in, an answer out, until the input ends.
struct Dialogue: Sendable {
  let conversation: Conversation

  private static let help = """
    Type a message and press Return; a line that ends with \\ goes on in the next one.
    Ctrl-C stops an answer, Ctrl-D or /bye ends the conversation, /clear forgets it.
    """

  /// Returns the exit status.
  func run() async throws -> Int32 {
    let isInteractive = StandardInput.isTerminal
    let style = Style(.error)
    if isInteractive {
      Console.error.line(style.dim("\(conversation.model.name): /help shows what can be typed"))
    }
    var status = Program.Status.done
    while let line = read(isInteractive, style) {
      switch line {
      case "/bye", "/exit", "/quit": return status
      case "/clear":
        conversation.session.reset()
        Console.error.line(style.dim("forgotten"))
      case "/help", "/?": Console.error.line(style.dim(Self.help))
      case _ where line.allSatisfy(\.isWhitespace): break
      default: status = try await answer(line, isInteractive)
      }
    }
    if isInteractive { Console.error.line("") }
    return status
  }

  /// One turn. On a terminal a fault or Ctrl-C ends the turn, elsewhere the program.
  private func answer(_ line: String, _ isInteractive: Bool) async throws -> Int32 {
    do {
      try await Interrupt.cancelling { try await conversation.answer(line) }
      return Program.Status.done
    } catch {
      guard isInteractive, !(error is ReaderGone) else { throw error }
      let status = Program.report(error, command: "chat")
      if status == Program.Status.cancelled { Console.error.line(Style(.error).dim("(stopped)")) }
      return Program.Status.done
    }
  }

  private func read(_ isInteractive: Bool, _ style: Style) -> String? {
    var text = ""
    var prompt = ">>> "
    while true {
      if isInteractive { Console.error.write(style.bold(prompt)) }
      guard let line = readLine() else { return text.isEmpty ? nil : text }
      guard line.hasSuffix("\\") else { return text + line }
      text += line.dropLast() + "\n"
      prompt = "... "
    }
  }
}
