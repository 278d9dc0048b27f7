import RunAnywhere
import Testing
import Tools

@Suite("A call cut by the token limit (case 47)")
struct TokenLimitTests {
  private func write(_ calls: Recorder<[String: String]>) -> Tool {
    Tool(
      ToolDefinition(
        name: "write", description: "",
        parameters: [
          ToolParameter(name: "path", type: .string, description: ""),
          ToolParameter(name: "content", type: .string, description: ""),
        ])
    ) { arguments in
      calls.append(arguments.compactMapValues(\.stringValue))
      return ["ok": true]
    }
  }

  private func call(_ path: String, _ content: String) -> String {
    "<tool_call>\n{\"name\": \"write\", \"arguments\": {\"path\": \"\(path)\", \"content\": \"\(content)\"}}\n</tool_call>"
  }

  @Test("cut all over two calls: whole calls run, half ones never", arguments: [true, false])
  func everyPlace(_ isAuto: Bool) async throws {
    let expected = [["path": "x", "content": "yy"], ["path": "zz", "content": "w"]]
    let said = call("x", "yy") + "\n" + call("zz", "w")
    var counts: [Int] = []
    // Every place of the second half of a call and of the beginning of another, and some of the others.
    for limit in stride(from: 3, through: 190, by: isAuto ? 11 : 4) {
      let calls = Recorder<[String: String]>()
      let result = try await LanguageModel(engine: .conversing([said, "Done."])).respond(
        to: "q", tools: [write(calls)],
        options: ToolCallingOptions(
          temperature: 0, maxTokens: limit, toolChoice: isAuto ? .auto : .required, answerRequest: ""))
      #expect(calls.all == Array(expected.prefix(calls.all.count)), "limit \(limit): \(calls.all)")
      if calls.all.count < 2 { #expect(result.finishReason == .length, "limit \(limit)") }
      #expect(result.usage.generatedTokens <= limit)
      counts.append(calls.all.count)
    }
    // More tokens never mean fewer calls, and at every stage there are some limits.
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 }, "\(counts)")
    #expect(Set(counts) == [0, 1, 2], "\(counts)")
  }
}
