import Arguments
import RunAnywhere

/// The user's tools on the command line, and how they may be called.
struct ToolOptions: Sendable {
  let tools: [UserTool]
  let choice: ToolChoice
  let maxCalls: Int
  let isParallel: Bool
  /// The form of calls; `nil` is the model's own.
  let callFormat: ToolCallFormat?
  /// Who is asked before a call runs.
  let approval: Approval?

  /// The declarations.
  static let options = [
    Option("tools", value: "FILE", "the tools, in the shape of OpenAI's API or of MCP"),
    Option("tool-choice", value: "WHEN", "auto, none, required, or the name of a tool (auto)"),
    Option("max-calls", value: "N", "most tool calls for one answer (5)"),
    Option("parallel", "run the calls of one turn at the same time"),
    Option("ask", "ask on the terminal before a call runs"),
    callFormat,
  ]

  /// The form of calls in place of the model's own.
  static let callFormat = Option(
    "call-format", value: "FORM",
    "the form in which the model writes calls, in place of its own: "
      + ToolCallFormat.allCases.map(\.rawValue).joined(separator: ", "))

  static func callFormat(_ arguments: Arguments) throws(UsageError) -> ToolCallFormat? {
    try arguments.choice(callFormat.name, of: ToolCallFormat.allCases.map(\.rawValue)).flatMap(ToolCallFormat.init)
  }

  /// Reads what was given; `nil` without `--tools`.
  init?(_ arguments: Arguments) throws {
    guard let path = arguments.string("tools") else {
      for name in ["tool-choice", "max-calls", Self.callFormat.name] where arguments.string(name) != nil {
        throw UsageError("--\(name) needs --tools FILE")
      }
      for name in ["parallel", "ask"] where arguments.flag(name) { throw UsageError("--\(name) needs --tools FILE") }
      return nil
    }
    tools = try ToolsFile(path: path).tools
    choice =
      switch arguments.string("tool-choice") ?? "auto" {
      case "auto": .auto
      case "none": .none
      case "required": .required
      case let name: .tool(name)
      }
    maxCalls = try arguments.integer("max-calls", in: 0...1000) ?? 5
    isParallel = arguments.flag("parallel")
    callFormat = try Self.callFormat(arguments)
    approval = arguments.flag("ask") ? try Approval() : nil
  }

  /// Whether every tool can be run.
  var areRunnable: Bool { tools.allSatisfy { $0.command != nil } }

  /// How a generation with these tools runs.
  func calling(_ generation: GenerationOptions, system: String? = nil) -> ToolCallingOptions {
    var options = ToolCallingOptions(
      maxToolCalls: maxCalls, autoExecute: areRunnable, temperature: generation.temperature,
      maxTokens: generation.maxTokens, toolChoice: choice, parallelToolCalls: isParallel, systemPrompt: system,
      topP: generation.topP, topK: generation.topK, minP: generation.minP, seed: generation.seed,
      stop: generation.stop, callFormat: callFormat)
    // The time that a person takes to answer is not the tool's; the tool's own limit is kept behind the question.
    if approval != nil { options.handlerTimeout = .seconds(86_400) }
    return options
  }

  /// The tools with their programs as handlers, behind the question whether they may run if one is asked.
  var handlers: [Tool] {
    tools.map { tool in
      guard let approval else { return tool.tool }
      return Tool(tool.definition) { arguments in
        let call = ToolCall(toolName: tool.definition.name, arguments: arguments)
        guard try await approval.allows(call) else { throw Failure("the user does not want this call to be run") }
        let result = try await tool.tool.run(call)
        guard let value = result.result else { throw Failure(result.error ?? "no reason given") }
        return value
      }
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
