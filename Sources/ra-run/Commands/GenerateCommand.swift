import Arguments
import RunAnywhere

/// Raw completion, without a chat template.
struct GenerateCommand: ProgramCommand {
  private static let temperature = 0.8
  private static let maxTokens = 128

  let command = Command(
    "generate", "continues a text as it stands, without a chat template", operands: "[TEXT...]",
    options: [ModelOptions.model] + StandardInput.options
      + GenerationOptions.options(temperature: temperature, maxTokens: maxTokens)
      + [
        Option("verbose", short: "v", "print token counts and speed on standard error"),
        Option("json", "print one JSON document"),
      ],
    discussion: """
      \(Report.answerGuide)

      example:
        ra-run generate --prompt "Once upon a time" --max-tokens 64 --temp 0
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    guard let text = try StandardInput.text(arguments) else {
      throw UsageError("generate: a text is missing (--prompt TEXT, or on standard input)")
    }
    let options = try GenerationOptions(arguments, temperature: Self.temperature, maxTokens: Self.maxTokens)
    try await Interrupt.cancelling {
      let model = try await ModelOptions.load(arguments, options)
      let result = try await complete(text, model, LLMGenerationOptions(options), json: arguments.flag("json"))
      if arguments.flag("verbose") {
        Console.error.line(Style(.error).dim(Report.line(result.usage, result.timings)))
      }
    }
    return Program.Status.done
  }

  private func complete(
    _ text: String, _ model: LanguageModel, _ options: LLMGenerationOptions, json: Bool
  ) async throws -> LLMGenerationResult {
    guard !json else {
      let result = try await model.complete(text, options: options)
      try Console.print(Report.document(result).compact)
      return result
    }
    let printer = AnswerPrinter()
    let completion = model.streamCompletion(of: text, options: options)
    do {
      for try await piece in completion.stream { try printer.print(piece) }
      let result = try await completion.result.value
      try Console.print("")
      return result
    } catch {
      completion.result.cancel()
      throw error
    }
  }
}
