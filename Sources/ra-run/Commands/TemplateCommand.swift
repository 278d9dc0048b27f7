import Arguments
import RunAnywhere

/// A conversation as the prompt that a model gets.
struct TemplateCommand: ProgramCommand {
  let command = Command(
    "template", "shows the exact prompt that a conversation becomes",
    options: [
      Option("messages", value: "FILE", "the conversation, in the shape of OpenAI's API; - is standard input"),
      Option("tools", value: "FILE", "the tools, in the shape of OpenAI's API or of MCP"),
      ModelOptions.model,
      Option(
        "template", aliases: ["chat-template"], value: "FILE|NAME",
        "a template file, alone or in place of the model's, or one of the model's by its name"),
      Option("tool-choice", value: "WHEN", "auto, none or required, as for an answer with tools (auto)"),
      Option("guidance", value: "TEXT", "the sentence about when not to call that goes with auto; '' leaves it out"),
      ToolOptions.callFormat,
      Option("var", value: "NAME=VALUE", "a variable of the template, as JSON or text; may be given several times"),
      Option("date", value: "DATE", "what the template takes for now: YYYY-MM-DD, or with Thh:mm:ss (UTC now)"),
      Option("no-generation-prompt", "end before the beginning of the assistant's turn"),
      Option("raw", "give messages and tools to the template as they stand, without what a model's answer needs"),
      Option("compare", "show, answer by answer, how much of the prompt before is still there"),
      Option("text", "print only the prompt, byte for byte"),
      Option("ids", "print only the ids, on one line"),
      Option("json", "print one JSON document"),
    ],
    discussion: """
      Prints the prompt and, with a model, its ids. Which template is used is said on standard error. Without --model a
      template file is enough; without both the default model is used. FILE may also be an object with "messages" and
      "tools". In JSON each piece says whether the template or the conversation wrote it.

      examples:
        ra-run template --messages chat.json
        ra-run template --messages chat.json --template my.jinja --date 2026-04-03 --text
        ra-run template --messages chat.json --tools tools.json -m qwen --compare
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    guard !arguments.flag("ids") || !arguments.flag("text") else {
      throw UsageError("template: --ids and --text exclude each other")
    }
    let messages = try Self.json(arguments.required("messages"))
    var options = try options(arguments)
    let choice = try arguments.choice("tool-choice", of: ["auto", "none", "required"]) ?? "auto"
    let tools = try tools(arguments, messages, isRaw: options.isRaw, choice: choice)
    if choice != "auto" { options.guidance = nil }
    let inspection = try inspection(arguments)
    ModelOptions.note(inspection.template, always: true)
    do {
      try arguments.flag("compare")
        ? compare(inspection, messages, tools, options, arguments)
        : show(inspection, try inspection.render(messages, tools: tools, options: options), options, arguments)
    } catch let error as PromptInspection.UnreadableMessages {
      throw Failure("\(try arguments.required("messages")): \(error)")
    }
    return Program.Status.done
  }

  // MARK: What is asked for

  private func inspection(_ arguments: Arguments) throws -> PromptInspection {
    let template = try ModelOptions.template(arguments, option: "template")
    if case .text(let source, let origin) = template, arguments.string("model") == nil {
      return try PromptInspection(source: source, origin: origin)
    }
    return try PromptInspection(path: try ModelOptions.path(arguments), template: template)
  }

  private func options(_ arguments: Arguments) throws -> PromptInspection.Options {
    var options = PromptInspection.Options()
    options.isRaw = arguments.flag("raw")
    options.callFormat = try ToolOptions.callFormat(arguments)
    options.addsGenerationPrompt = !arguments.flag("no-generation-prompt")
    if let guidance = arguments.string("guidance") { options.guidance = guidance.isEmpty ? nil : guidance }
    if let date = arguments.string("date"), !options.stopClock(at: date) {
      throw UsageError("--date wants YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, not '\(date)'")
    }
    for text in arguments.strings("var") {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw UsageError("--var wants NAME=VALUE, not '\(text)'")
      }
      let value = String(text[text.index(after: equals)...])
      options.variables[String(text[..<equals])] = (try? JSONValue(parsing: value)) ?? .string(value)
    }
    return options
  }

  private func tools(
    _ arguments: Arguments, _ messages: JSONValue, isRaw: Bool, choice: String
  ) throws -> [JSONValue] {
    guard choice != "none" else { return [] }
    let path = arguments.string("tools")
    guard let document = try path.map(Self.json) ?? messages["tools"], !document.isNull else { return [] }
    if isRaw { return document.arrayValue ?? document["tools"]?.arrayValue ?? [document] }
    let name = try path ?? arguments.required("messages")
    return try ToolsFile(document, name: name).tools.map(\.definition.openAIForm)
  }

  private static func json(_ path: String) throws -> JSONValue {
    try InputFile.json(path == "-" ? Array(StandardInput.all().utf8) : InputFile.bytes(path), name: path)
  }

  // MARK: What is printed

  private func show(
    _ inspection: PromptInspection, _ prompt: PromptInspection.Rendering, _ options: PromptInspection.Options,
    _ arguments: Arguments
  ) throws {
    let line = prompt.ids.map { $0.map(String.init).joined(separator: " ") }
    if arguments.flag("json") {
      var document: JSONObject = [
        "template": .string(inspection.template.description),
        "call_format": .string((options.callFormat ?? inspection.callFormat).rawValue), "prompt": .string(prompt.text),
        "pieces": prompt.pieces,
      ]
      if let ids = prompt.ids { document["ids"] = .array(ids.map { .integer($0) }) }
      try Console.print(JSONValue.object(document).compact)
    } else if arguments.flag("ids") {
      guard let line else { throw UsageError("template: --ids needs a model") }
      try Console.print(line)
    } else {
      let text = Console.output.isTerminal ? AnswerPrinter.harmless(prompt.text) : prompt.text
      try Console.print(text, terminator: arguments.flag("text") || text.hasSuffix("\n") ? "" : "\n")
      if let line, !arguments.flag("text") { try Console.print("\nids: \(line)") }
    }
  }

  private func compare(
    _ inspection: PromptInspection, _ messages: JSONValue, _ tools: [JSONValue], _ options: PromptInspection.Options,
    _ arguments: Arguments
  ) throws {
    let steps = try inspection.growth(messages, tools: tools, options: options)
    if arguments.flag("json") {
      let rows = steps.map { step -> JSONValue in
        [
          "messages": .integer(step.messages), "before": .integer(step.change.before),
          "after": .integer(step.change.after), "shared": .integer(step.change.shared),
          "removed": .string(step.change.removed), "inserted": .string(step.change.inserted),
        ]
      }
      try Console.print(
        JSONValue.object(["template": .string(inspection.template.description), "steps": .array(rows)]).compact)
    } else {
      if !inspection.hasVocabulary { Console.error.line("without a model bytes are counted for tokens") }
      if steps.isEmpty { Console.error.line("there is only one prompt: no answer is followed by anything") }
      for step in steps { try Console.print("\(step.messages) messages: \(step.change)") }
    }
  }
}
