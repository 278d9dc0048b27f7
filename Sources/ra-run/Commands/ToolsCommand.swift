import Arguments
import RunAnywhere

/// An answer with tools of the user's own.
struct ToolsCommand: ProgramCommand {
  private static let temperature = 0.0
  private static let maxTokens = 512

  let command = Command(
    "tools", "answers a prompt, calling tools from a file", operands: "[PROMPT...]",
    options: [ModelOptions.model, ModelOptions.chatTemplate] + ToolOptions.options + [
      Option("system", value: "TEXT", "instructions that stand before the prompt")
    ] + StandardInput.options
      + GenerationOptions.options(temperature: temperature, maxTokens: maxTokens, hasPenalty: false)
      + [
        Option("verbose", short: "v", "print token counts and speed on standard error"),
        Option("json", "print one JSON document"),
      ],
    discussion: """
      A tool may have a "command": a list of words, the program first. It is run when the model calls the tool, gets the
      arguments as JSON on standard input and prints its result as JSON; then the model answers. When a tool of the file
      has no command, calls aren't run but printed.

      \(Report.toolsGuide)

      example:
        ra-run tools --tools weather.json "What's the weather in San Francisco?"

        [{"type": "function",
          "function": {"name": "get_weather", "description": "Get current weather for a city",
                       "parameters": {"type": "object", "properties": {"city": {"type": "string"}},
                                      "required": ["city"]}},
          "command": ["./weather.sh"]}]
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    guard let prompt = try StandardInput.text(arguments) else { throw UsageError("tools: a prompt is missing") }
    guard let tools = try ToolOptions(arguments) else { throw UsageError("tools: --tools FILE is missing") }
    let generation = try GenerationOptions(arguments, temperature: Self.temperature, maxTokens: Self.maxTokens)
    let options = tools.calling(generation, system: arguments.string("system"))
    try await Interrupt.cancelling {
      let model = try await ModelOptions.load(arguments, generation)
      let isVerbose = arguments.flag("verbose")
      let isJSON = arguments.flag("json")
      let printer = ToolPrinter(showsText: false)
      let isTraced = options.autoExecute && (isVerbose || !isJSON)
      let result = try await ChatSession(model).respond(to: prompt, tools: tools.handlers, options: options) { event in
        if isTraced { printer.show(event) }
      }
      if isJSON {
        try Console.print(Report.document(result, model: model.name).compact)
      } else {
        try Self.show(result)
      }
      if isVerbose { Console.error.line(Style(.error).dim(Report.line(result.usage, result.timings))) }
    }
    return Program.Status.done
  }

  /// The answer, and the calls that nobody has run.
  private static func show(_ result: ToolCallingResult) throws {
    let text = result.text
    if !text.isEmpty {
      try Console.print(Console.output.isTerminal ? AnswerPrinter.harmless(text) : text)
    }
    for call in result.pendingCalls { try Console.print(Quantity.printable("\(call)")) }
    if result.finishReason == .length {
      Console.error.line(Style(.error).dim("(cut off: the limit of tokens is reached)"))
    }
  }
}
