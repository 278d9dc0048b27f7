import Arguments

/// A conversation that remembers what was said.
struct ChatCommand: ProgramCommand {
  let command = Command(
    "chat", "converses, remembering what was said", options: Conversation.options,
    discussion: """
      Every line is a message; /clear forgets the conversation, /bye or Ctrl-D ends it, Ctrl-C stops an answer.
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    try await Dialogue(conversation: Conversation(arguments)).run()
  }
}
