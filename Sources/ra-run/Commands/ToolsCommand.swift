import Arguments
import RunAnywhere

/// An answer with tools of the user's own.
struct ToolsCommand: ProgramCommand {
  private static let temperature = 0.0
  private static let maxTokens = 512

  let command = Command(
    "tools", "answers a prompt, calling tools from a file", operands: "[PROMPT...]",
    options: [
      ModelOptions.model,
      ModelOptions.chatTemplate,
      Option("tools", value: "FILE", "the tools, in the shape of OpenAI's API or of MCP"),
      Option("tool-choice", value: "WHEN", "auto, none, required, or the name of a tool (auto)"),
      Option("max-calls", value: "N", "most tool calls (5)"),
      Option("parallel", "run the calls of one turn at the same time"),
      Option("system", value: "TEXT", "instructions that stand before the prompt"),
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
    let file = try ToolsFile(path: try arguments.required("tools"))
    let generation = try GenerationOptions(arguments, temperature: Self.temperature, maxTokens: Self.maxTokens)
    let options = try options(arguments, generation, file)
    try await Interrupt.cancelling {
      let model = try await ModelOptions.load(arguments, generation)
      let isJSON = arguments.flag("json")
      let transcript = ToolTranscript(isShown: !isJSON && options.autoExecute)
      let result = try await ChatSession(model).respond(
        to: prompt, tools: file.tools.map(\.tool), options: options, onEvent: transcript.show)
      if isJSON {
        try Console.print(Report.document(result, model: model.name).compact)
      } else {
        try Self.show(result)
      }
      if arguments.flag("verbose") {
        Console.error.line(Style(.error).dim(Report.line(result.usage, result.timings)))
      }
    }
    return Program.Status.done
  }

  private func options(
    _ arguments: Arguments, _ generation: GenerationOptions, _ file: ToolsFile
  ) throws(UsageError) -> ToolCallingOptions {
    let choice: ToolChoice =
      switch arguments.string("tool-choice") ?? "auto" {
      case "auto": .auto
      case "none": .none
      case "required": .required
      case let name: .tool(name)
      }
    return ToolCallingOptions(
      maxToolCalls: try arguments.integer("max-calls", in: 0...1000) ?? 5,
      autoExecute: file.tools.allSatisfy { $0.command != nil },
      temperature: generation.temperature, maxTokens: generation.maxTokens, toolChoice: choice,
      parallelToolCalls: arguments.flag("parallel"), systemPrompt: arguments.string("system"), topP: generation.topP,
      topK: generation.topK, minP: generation.minP, seed: generation.seed, stop: generation.stop)
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

extension UserTool {
  /// The tool with its program as its handler.
  var tool: Tool {
    Tool(definition) { [command, name = definition.name] arguments in
      guard let command else { throw Failure("\(name) has no command") }
      return try await ExternalTool(command: command).call(arguments)
    }
  }
}

/// Tells on standard error what the model calls and what comes back.
struct ToolTranscript: Sendable {
  let isShown: Bool

  func show(_ event: ToolCallingEvent) {
    guard isShown else { return }
    let style = Style(.error)
    switch event {
    case .toolCall(let call): Console.error.line(style.dim("→ " + Quantity.printable("\(call)")))
    case .toolResult(let result): Console.error.line(style.dim("← " + Quantity.printable(Self.text(result))))
    default: break
    }
  }

  /// A result as JSON text, or why there is none.
  static func text(_ result: ToolResult) -> String {
    result.result.map { ToolValue.object($0).jsonText } ?? "failed: " + (result.error ?? "no reason given")
  }
}
