import Arguments

/// A conversation that remembers what was said.
struct ChatCommand: ProgramCommand {
  let command = Command(
    "chat", "converses, remembering what was said", options: Conversation.options,
    discussion: """
      Every line is a message; /help shows the commands, Ctrl-C stops an answer, Ctrl-D ends the conversation.

      examples:
        ra-run chat --session talk.ra              # goes on where it stopped the last time
        ra-run chat --tools tools.json --ask       # tools of your own, each call confirmed
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    var dialogue = Dialogue(try await Conversation(arguments))
    return try await dialogue.run()
  }
}
