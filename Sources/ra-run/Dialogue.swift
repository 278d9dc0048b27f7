import Arguments
import Foundation
import RunAnywhere

/// The conversation with a person: a line in, an answer out, until the input ends.
struct Dialogue {
  private var conversation: Conversation
  private let isInteractive = StandardInput.isTerminal
  private let style = Style(.error)

  init(_ conversation: Conversation) {
    self.conversation = conversation
  }

  /// Returns the exit status.
  mutating func run() async throws -> Int32 {
    if isInteractive { say("\(conversation.model.name): /help shows what can be typed") }
    if !conversation.session.transcript.isEmpty, conversation.file != nil {
      say("going on after \(conversation.session.transcript.count) messages")
    }
    while let input = read() {
      switch input {
      case .exit: return Program.Status.done
      case .message(let text): try await answer(text)
      default: try await follow(input)
      }
    }
    if isInteractive { Console.error.line("") }
    return Program.Status.done
  }

  private func say(_ text: String) { Console.error.line(style.dim(text)) }

  private func read() -> DialogueInput? {
    guard isInteractive else { return DialogueInput.read { _ in readLine() } }
    return DialogueInput.read { sign in
      let invitation = style.bold(sign)
      let hint = style.dim("(Ctrl-C again or Ctrl-D ends the conversation)")
      return Interrupt.reading {
        Console.error.write("\n\(hint)\n\(invitation)")
      } _: {
        Console.error.write(invitation)
        return readLine()
      }
    }
  }

  /// A command. What goes wrong is told; on a terminal the conversation goes on.
  private mutating func follow(_ input: DialogueInput) async throws {
    do {
      try await carryOut(input)
    } catch {
      guard isInteractive, !(error is ReaderGone) else { throw error }
      _ = Program.report(error, command: "chat")
    }
  }

  private mutating func carryOut(_ input: DialogueInput) async throws {
    switch input {
    case .message, .blank, .exit: break
    case .help: say(DialogueInput.guide)
    case .clear:
      conversation.session.reset()
      say("forgotten")
    case .tools:
      guard let tools = conversation.tools?.tools else { return say("no tools; --tools FILE gives some") }
      for tool in tools { say(Quantity.printable("\(tool.definition.name): \(tool.definition.description)")) }
    case .save(let path):
      guard let file = path.map({ URL(filePath: $0) }) ?? conversation.file else {
        throw Failure("/save wants a file")
      }
      try await conversation.session.save(to: file)
      say("kept in \(Quantity.printable(file.path(percentEncoded: false)))")
    case .load(let path):
      try await conversation.load(URL(filePath: path))
      say("going on after \(conversation.session.transcript.count) messages")
    case .system(let text?):
      conversation.session.setSystemPrompt(text)
    case .system(nil):
      say(conversation.session.systemPrompt.map(Quantity.printable) ?? "no instructions")
    case .mistake(let reason): throw Failure(reason)
    }
  }

  /// One turn. On a terminal a fault or Ctrl-C ends the turn, elsewhere the program.
  private func answer(_ text: String) async throws {
    let conversation = conversation
    do {
      try await Interrupt.cancelling { try await conversation.answer(text) }
    } catch {
      guard isInteractive, !(error is ReaderGone) else { throw error }
      let status = Program.report(error, command: "chat")
      if status == Program.Status.cancelled { say("(stopped)") }
    }
  }
}
