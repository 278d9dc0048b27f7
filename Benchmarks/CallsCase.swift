import Arguments
import JSON
import RunAnywhere
import Tools

/// A question with the tools that are there to answer it.
struct CallCase: Sendable {
  let id: String
  let category: String
  let prompt: String
  let tools: [Tool]

  /// What came of a question.
  struct Answer {
    var calls: [ToolCall] = []
    var text = ""
    var error: String?
    var usage = TokenUsage()
    var weighing: CallWeighing?

    /// The line of the output file.
    func line(_ id: String) -> JSONValue {
      var line: JSONObject = [
        "id": .string(id),
        "calls": .array(
          calls.map { ["name": .string($0.toolName), "arguments": ToolValue.object($0.arguments).json] }),
        "text": .string(text),
      ]
      if let weighing {
        line["share"] = .double(weighing.share)
        line["check"] = weighing.check.map { .double($0) } ?? .null
      }
      if let error { line["error"] = .string(error) }
      return .object(line)
    }
  }

  static func read(_ path: String) throws -> [CallCase] {
    try BenchInput.lines(path).enumerated().map { index, json in
      guard let id = json["id"]?.stringValue, let prompt = json["prompt"]?.stringValue,
        let tools = json["tools"]?.arrayValue
      else { throw UsageError("\(path): line \(index + 1) lacks id, prompt or tools") }
      return CallCase(
        id: id, category: json["category"]?.stringValue ?? "", prompt: prompt,
        tools: try tools.map { tool in Tool(try ToolDefinition(importing: tool)) { _ in [:] } })
    }
  }

  /// Asks a model; an error is part of the answer, so that one case doesn't end the run.
  func ask(_ model: LanguageModel, _ options: ToolCallingOptions) async -> Answer {
    do {
      let result = try await model.respond(to: prompt, tools: tools, options: options)
      return Answer(calls: result.pendingCalls, text: result.text, usage: result.usage, weighing: result.weighing)
    } catch {
      return Answer(error: "\(error)")
    }
  }
}
