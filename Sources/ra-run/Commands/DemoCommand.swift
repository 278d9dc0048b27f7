import Arguments
import RunAnywhere

/// A question, a call, its result, the answer: the whole way in one picture.
struct DemoCommand: ProgramCommand {
  static let question = "What's the weather in San Francisco?"

  let command = Command(
    "demo", "shows a tool call from question to answer, with three built-in tools", operands: "[PROMPT...]",
    options: [
      ModelOptions.model,
      Option("tool-choice", value: "WHEN", "auto or required (required)"),
    ] + GenerationOptions.options(temperature: 0, maxTokens: 128, hasPenalty: false))

  func run(_ arguments: Arguments) async throws -> Int32 {
    let question = arguments.operands.isEmpty ? Self.question : arguments.operands.joined(separator: " ")
    let generation = try GenerationOptions(arguments, temperature: 0, maxTokens: 128)
    let choice = try arguments.choice("tool-choice", of: ["auto", "required"]) ?? "required"
    try await Interrupt.cancelling {
      let clock = ContinuousClock()
      let start = clock.now
      let model = try await ModelOptions.load(arguments, generation)
      try Self.line("model", "\(model.name), loaded in \(Quantity.seconds((clock.now - start) / .seconds(1)))")
      try Self.line("tools", DemoTools.all.map(\.definition.name).joined(separator: ", "))
      try Self.line("question", question)
      let options = ToolCallingOptions(
        temperature: generation.temperature, maxTokens: generation.maxTokens,
        toolChoice: choice == "auto" ? .auto : .required, topP: generation.topP, topK: generation.topK,
        minP: generation.minP, seed: generation.seed, stop: generation.stop)
      let result = try await ChatSession(model).respond(to: question, tools: DemoTools.all, options: options) { event in
        // A reader that has gone is noticed at the answer.
        switch event {
        case .toolCall(let call): try? Self.line("call", "\(call)")
        case .toolResult(let result): try? Self.line("result", ToolPrinter.text(result))
        default: break
        }
      }
      try Self.line("answer", result.text.replacing("\n", with: " "))
      try Self.line("speed", Report.line(result.usage, result.timings))
    }
    return Program.Status.done
  }

  private static func line(_ label: String, _ text: String) throws(ReaderGone) {
    let padding = String(repeating: " ", count: max(1, 10 - label.count))
    try Console.print(Style(.output).dim(label + padding) + Quantity.printable(text))
  }
}
