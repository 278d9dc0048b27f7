import Arguments
import RunAnywhere

/// One answer, or a conversation when there is no prompt.
struct RunCommand: ProgramCommand {
  let command = Command(
    "run", "answers a prompt, or converses when there is none", operands: "[PROMPT...]",
    options: Conversation.options + StandardInput.options + [Option("json", "print one JSON document")],
    discussion: """
      Without a prompt standard input is the prompt; on a terminal a conversation begins.

      \(Report.answerGuide) With --tools it is what ra-run tools prints.

      examples:
        ra-run run "Name three rivers."
        ra-run run -m llama-3.2-1b-instruct --temp 0 --verbose < question.txt
        ra-run run --json-schema '{"type":"object","properties":{"city":{"type":"string"}}}' "Where is the Louvre?"
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    guard let prompt = try StandardInput.text(arguments) else {
      guard !arguments.flag("json") else { throw UsageError("run: --json needs a prompt") }
      var dialogue = Dialogue(try await Conversation(arguments))
      return try await dialogue.run()
    }
    try await Interrupt.cancelling {
      let conversation = try await Conversation(arguments)
      if arguments.flag("json") {
        try await conversation.document(prompt)
      } else {
        try await conversation.answer(prompt)
      }
    }
    return Program.Status.done
  }
}
