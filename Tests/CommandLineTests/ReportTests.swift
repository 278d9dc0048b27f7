import RunAnywhere
import Testing

@testable import ra_run

@Suite("What --json prints")
struct ReportTests {
  private let call = ToolCall(toolName: "f", arguments: ["x": 1], id: "call00000")

  private var result: ToolCallingResult {
    ToolCallingResult(
      text: "Done.", toolCalls: [call], toolResults: [.failure("no", of: call)], finishReason: .toolCalls,
      limitReached: false, usage: TokenUsage(), timings: GenerationTimings(), transcript: [.user("q")],
      pendingCalls: [call])
  }

  /// The words in quotes.
  private func members(_ guide: String) -> [String] {
    guide.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  @Test("an answer with tools has the members that the help names, in their order")
  func tools() {
    let document = Report.document(result, model: "m")
    var keys: [String] = []
    for (key, value) in document.objectValue?.members ?? [] {
      keys.append(key)
      if key == "tool_calls" || key == "tool_results" { keys += value[0]?.objectValue?.keys.map(\.self) ?? [] }
    }
    #expect(keys == members(Report.toolsGuide))
    #expect(document["finish_reason"] == "tool_calls" && document["tool_calls"]?[0]?["arguments"] == ["x": 1])
    #expect(document["tool_results"]?[0]?["error"] == "no" && document["messages"]?[0]?["role"] == "user")
  }

  @Test("a plain answer has the members that the help names")
  func plain() throws {
    #expect(members(Report.answerGuide) == ["model", "text", "finish_reason", "usage", "timings"])
    #expect(
      result.usage.json.objectValue?.keys.map(\.self) == [
        "prompt_tokens", "cached_tokens", "generated_tokens", "forced_tokens", "drafted_tokens", "copied_tokens",
        "weighed_tokens",
      ])
  }
}
