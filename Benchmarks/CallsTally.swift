import Foundation
import Grammar
import JSON
import RunAnywhere
import Tools

/// What is counted over a file of cases, beside the calls themselves.
struct CallsTally {
  private(set) var cases = 0
  /// Cases with a call.
  private(set) var called = 0
  /// Cases that ended in an error.
  private(set) var refused = 0
  private(set) var calls = 0
  /// Calls that name a tool of the case with arguments that satisfy its schema.
  private(set) var valid = 0
  /// Cases in whose text a call is written, in whatever spelling.
  private(set) var shown = 0
  private(set) var usage = TokenUsage()
  /// What was wrong, a line each.
  private(set) var faults: [String] = []

  mutating func add(_ answer: CallCase.Answer, of item: CallCase) {
    cases += 1
    usage += answer.usage
    if let error = answer.error {
      refused += 1
      faults.append("\(item.id): \(error)")
    }
    if !answer.calls.isEmpty { called += 1 }
    for call in answer.calls {
      calls += 1
      if let fault = CallsTally.fault(in: call, tools: item.tools) {
        faults.append("\(item.id): \(call): \(fault)")
      } else {
        valid += 1
      }
    }
    if CallsTally.showsCall(answer.text, names: item.tools.map(\.definition.name)) {
      shown += 1
      faults.append("\(item.id): a call reached the user as text: \(answer.text)")
    }
  }

  /// What is wrong with a call, by the validator that knows nothing of the grammar that made it.
  private static func fault(in call: ToolCall, tools: [Tool]) -> String? {
    guard let tool = tools.first(where: { $0.definition.name == call.toolName }) else { return "there is no such tool" }
    return SchemaValidator(tool.definition.argumentSchema.value).firstError(.object(ToolValue.json(of: call.arguments)))
  }

  /// Whether a call is written in `text`: a mark of any family, an object that names a tool, or a list of calls in Python's
  /// notation.
  static func showsCall(_ text: String, names: [String]) -> Bool {
    let marks = [
      "<tool_call", "</tool_call", "[TOOL_CALLS]", "<function=", "<|tool_call_start|>", "<|python_tag|>", "<tools>",
    ]
    if marks.contains(where: { text.contains($0) }) { return true }
    let dense = text.filter { !$0.isWhitespace }
    return names.contains { name in
      ["\"name\":\"\(name)\"", "'name':'\(name)'", "[\(name)(", "\"function\":\"\(name)\""].contains {
        dense.contains($0)
      }
    }
  }

  func report(seconds: Double) -> BenchReport {
    var report = BenchReport(columns: [
      "cases", "called", "calls", "valid", "as text", "refused", "prompt", "cached", "weighed", "generated", "forced",
      "s",
    ])
    report.row(
      "\(cases)", "\(called)", "\(calls)", "\(valid)", "\(shown)", "\(refused)", "\(usage.promptTokens)",
      "\(usage.cachedTokens)", "\(usage.weighedTokens)", "\(usage.generatedTokens)", "\(usage.forcedTokens)",
      fixed(seconds))
    for (field, count) in [
      ("cases", cases), ("called", called), ("calls", calls), ("valid", valid), ("shown_as_text", shown),
      ("refused", refused), ("prompt_tokens", usage.promptTokens), ("cached_tokens", usage.cachedTokens),
      ("weighed_tokens", usage.weighedTokens), ("generated_tokens", usage.generatedTokens),
      ("forced_tokens", usage.forcedTokens),
    ] {
      report[field] = .integer(count)
    }
    report["seconds"] = .double(seconds)
    for fault in faults { report.line(fault) }
    report.verdict = valid == calls && shown == 0 && refused == 0
    return report
  }
}
