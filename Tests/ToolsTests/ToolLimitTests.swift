import Testing
import Tools

@Suite("Limits of the tool loop")
struct ToolLimitTests {
  @Test("an identical call is answered from the first result; the second repetition ends calling")
  func repetition() async throws {
    let runs = Counter()
    let counted = tool("t") { _ in
      runs.increment()
      return ["n": .integer(runs.value)]
    }
    let generator = ScriptedGenerator(hermes("t"), hermes("t"), hermes("t"), "The answer.")
    let result = try await ToolLoop(generator: generator, tools: [counted], options: ToolCallingOptions()).run("go")
    #expect(runs.value == 1)
    #expect(result.toolCalls.count == 2)
    #expect(result.toolResults.map { $0.result?["n"] } == [1, 1])
    #expect(result.limitReached)
    #expect(result.text == "The answer.")
    #expect(generator.requests.count == 4)
    // From the first repetition on the model is asked to answer; neither that nor the dropped turn stays.
    #expect(generator.requests.map { $0.messages.last?.role } == [.user, .tool, .user, .user])
    #expect(generator.requests[3].messages.count == 6)
    #expect(generator.requests[3].messages.last?.content == ToolCallingOptions.defaultAnswerRequest)
    #expect(result.transcript.map(\.role) == [.user, .assistant, .tool, .assistant, .tool, .assistant])
  }

  @Test("maxToolCalls: exactly so many runs, then an answer (case 48)", arguments: [0, 1, 3])
  func callLimit(_ limit: Int) async throws {
    let runs = Counter()
    let counted = tool("t", [ToolParameter(name: "n", type: .integer, description: "")]) { _ in
      runs.increment()
      return [:]
    }
    var turns = (0..<limit).map { ScriptedGenerator.Turn(hermes("t", "{\"n\": \($0)}")) }
    turns.append(.init("The answer."))
    let generator = ScriptedGenerator(turns)
    let result = try await ToolLoop(
      generator: generator, tools: [counted], options: ToolCallingOptions(maxToolCalls: limit)
    ).run("go")
    #expect(runs.value == limit)
    #expect(result.text == "The answer.")
    #expect(result.limitReached == (limit > 0))
    if limit == 0 { #expect(generator.requests[0].tools.isEmpty) }
  }

  @Test("the last turn after the limit allows no calls")
  func lastTurn() async throws {
    let generator = ScriptedGenerator(hermes("t", #"{"a": 1}"#))
    let result = try await ToolLoop(
      generator: generator, tools: [tool("t")], options: ToolCallingOptions(maxToolCalls: 1)
    ).run("go")
    #expect(result.toolCalls.count == 1)
    #expect(generator.requests.count == 2)
    #expect(generator.requests[1].constraint?.branches.allSatisfy(\.isText) == true)
    #expect(generator.requests[1].messages.last?.role == .user)
  }

  @Test("more calls in one turn than the limit leaves")
  func limitInsideTurn() async throws {
    let generator = ScriptedGenerator(hermes("a") + hermes("b"), "Done.")
    let result = try await ToolLoop(
      generator: generator, tools: [tool("a"), tool("b")], options: ToolCallingOptions(maxToolCalls: 1)
    ).run("go")
    #expect(result.toolCalls.map(\.toolName) == ["a"])
    #expect(result.limitReached)
  }

  @Test("cut inside a call: nothing runs, the reason is length, the text so far is there (case 47)")
  func cutInsideCall() async throws {
    let runs = Counter()
    let counted = tool("t", [city]) { _ in
      runs.increment()
      return [:]
    }
    for cut in ["<tool_call>\n{\"na", "<tool_call>\n{\"name\": \"t\", \"arguments\": {\"city\": \"Pa"] {
      let generator = ScriptedGenerator([.init("One moment. " + cut, reason: .length)])
      let result = try await ToolLoop(generator: generator, tools: [counted], options: ToolCallingOptions()).run("go")
      #expect(result.finishReason == .length)
      #expect(result.toolCalls.isEmpty)
      #expect(result.text == "One moment.")
    }
    #expect(runs.value == 0)
  }

  @Test("cut in the second of two calls: the first runs, and the reason is length (case 47)")
  func cutInSecondCall() async throws {
    let generator = ScriptedGenerator([
      .init(hermes("t") + "\n<tool_call>\n{\"name\": \"t\", \"arg", reason: .length, tokens: 512)
    ])
    let result = try await ToolLoop(generator: generator, tools: [tool("t")], options: ToolCallingOptions()).run("go")
    #expect(result.toolCalls.count == 1)
    #expect(result.finishReason == .length)
    #expect(generator.requests.count == 1)
  }

  @Test("the token budget is shared by all rounds")
  func sharedBudget() async throws {
    let generator = ScriptedGenerator([
      .init(hermes("t"), tokens: 30), .init(hermes("t", #"{"a": 1}"#), tokens: 30), .init("Done.", tokens: 30),
    ])
    let result = try await ToolLoop(
      generator: generator, tools: [tool("t")], options: ToolCallingOptions(maxTokens: 100)
    ).run("go")
    #expect(generator.requests.map(\.maxTokens) == [100, 70, 40])
    #expect(result.usage.generatedTokens == 90)
  }
}
