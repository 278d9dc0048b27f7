import Testing
import Tools

@Suite("What the tool loop refuses")
struct ToolInputTests {
  @Test("invalid input is refused before anything is generated")
  func invalidInput() async {
    let generator = ScriptedGenerator("x")
    func failure(_ tools: [RegisteredTool], _ options: ToolCallingOptions, _ prompt: String = "go") async
      -> ToolLoopError?
    {
      do {
        _ = try await ToolLoop(generator: generator, tools: tools, options: options).run(prompt)
        return nil
      } catch {
        return error as? ToolLoopError
      }
    }
    #expect(await failure([], ToolCallingOptions(), " \n") == .emptyPrompt)
    #expect(await failure([], ToolCallingOptions(maxToolCalls: -1)) == .negativeCallLimit(-1))
    #expect(await failure([], ToolCallingOptions(maxTokens: 0)) == .noTokens(0))
    #expect(await failure([], ToolCallingOptions(toolChoice: .required)) == .noToolToRequire)
    #expect(
      await failure([tool("t")], ToolCallingOptions(toolChoice: .tool("u"))) == .unknownTool("u", known: ["t"]))
    if case .invalidTools(let issues)? = await failure([tool("t"), tool("bad name")], ToolCallingOptions()) {
      #expect(issues.map(\.tool) == ["bad name"])
    } else {
      Issue.record("no error for an invalid tool")
    }
    #expect(generator.requests.isEmpty)
  }
}
