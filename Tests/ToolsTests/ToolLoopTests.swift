import JSON
import Testing
import Tools

@Suite("The tool loop, row by row")
struct ToolLoopTests {
  private func tool(
    _ name: String, _ parameters: [ToolParameter] = [],
    _ handler: @escaping ToolHandler = { _ in ["ok": true] }
  ) -> RegisteredTool {
    RegisteredTool(ToolDefinition(name: name, description: "", parameters: parameters), handler: handler)
  }

  private let city = ToolParameter(name: "city", type: .string, description: "")

  @Test("a call, its result, and the answer")
  func oneCall() async throws {
    let generator = ScriptedGenerator(hermes("get_weather", #"{"city": "Paris"}"#), "It is sunny.")
    let weather = tool("get_weather", [city]) { arguments in
      ["city": arguments["city"] ?? .null, "temperature": .number(21)]
    }
    let events = Recorder<String>()
    let loop = ToolLoop(generator: generator, tools: [weather], options: ToolCallingOptions()) { event in
      events.append("\(event)".prefix { $0 != "(" }.description)
    }
    let result = try await loop.run("Weather in Paris?")
    #expect(result.text == "It is sunny.")
    #expect(result.toolCalls.map(\.description) == ["get_weather(city: \"Paris\")"])
    #expect(result.toolResults.first?.result?["temperature"] == .number(21))
    #expect(result.toolResults.first?.toolName == "get_weather")
    #expect(result.finishReason == .stop)
    #expect(!result.limitReached)
    #expect(result.usage.generatedTokens == 20)
    #expect(result.transcript.map(\.role) == [.user, .assistant, .tool, .assistant])
    #expect(generator.requests.count == 2)
    #expect(generator.requests[1].messages.last?.content == #"{"city": "Paris", "temperature": 21.0}"#)
    #expect(generator.requests[1].tools.count == 1, "tools stay in every round")
    #expect(events.all.first == "toolCallStarted" && events.all.contains("toolResult"))
  }

  @Test("a handler's error goes to the model as data, and the run goes on")
  func throwingHandler() async throws {
    struct Fault: Error, CustomStringConvertible { let description = "no such city" }
    let generator = ScriptedGenerator(hermes("t"), "Sorry.")
    let loop = ToolLoop(generator: generator, tools: [tool("t") { _ in throw Fault() }], options: ToolCallingOptions())
    let result = try await loop.run("go")
    #expect(result.toolResults.first?.success == false)
    #expect(result.toolResults.first?.error == "no such city")
    #expect(generator.requests.last?.messages.last?.content == #"{"error": "no such city"}"#)
    #expect(result.text == "Sorry.")
  }

  @Test("a handler that takes too long is cancelled, and its late answer ignored")
  func slowHandler() async throws {
    let cancelled = Counter()
    let slow = tool("t") { _ in
      do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.increment() }
      return ["late": true]
    }
    let options = ToolCallingOptions(handlerTimeout: .milliseconds(50))
    let result = try await ToolLoop(
      generator: ScriptedGenerator(hermes("t"), "Done."), tools: [slow], options: options
    ).run("go")
    #expect(result.toolResults.first?.error?.contains("0.05 seconds") == true)
    try await Task.sleep(for: .milliseconds(100))
    #expect(cancelled.value == 1)
  }

  @Test("NaN becomes null; too much text is clipped with a mark (case 51)")
  func payloads() async throws {
    let odd = tool("t") { _ in
      [
        "nan": .number(.nan), "big": .string(String(repeating: "x", count: 1_000_000)),
        "items": .array(Array(repeating: .integer(7), count: 100_000)), "nul": "\u{0}\u{1B}[31m", "empty": "",
        "marks": .string("e" + String(repeating: "\u{301}", count: 300)), "rtl": "\u{202E}abc",
      ]
    }
    let generator = ScriptedGenerator(hermes("t"), "Done.")
    _ = try await ToolLoop(generator: generator, tools: [odd], options: ToolCallingOptions(systemPrompt: "Be brief."))
      .run(
        "the question")
    let messages = generator.requests[1].messages
    let content = messages.last?.content ?? ""
    #expect(content.utf8.count <= 8192)
    let json = try JSONValue(parsing: content)
    #expect(json["nan"] == .null)
    #expect(json["nul"] == "\u{0}\u{1B}[31m")
    #expect(json["big"]?.stringValue?.contains("clipped, 1000000 bytes") == true)
    #expect(json["items"]?.arrayValue?.last?.stringValue?.contains("more items clipped") == true)
    #expect(messages.first?.content.contains("Be brief.") == true)
    #expect(messages.contains { $0.role == .user && $0.content == "the question" })
  }

  @Test("results shrink until the prompt fits the context; the question stays")
  func overflow() async throws {
    let big = tool("t") { _ in ["x": .string(String(repeating: "x", count: 5000))] }
    let generator = ScriptedGenerator([
      .init(hermes("t")), .init("", error: ContextOverflow(tokens: 3000, limit: 2000)),
      .init("", error: ContextOverflow(tokens: 2100, limit: 2000)), .init("Done."),
    ])
    let result = try await ToolLoop(generator: generator, tools: [big], options: ToolCallingOptions()).run("q")
    #expect(result.text == "Done.")
    #expect((generator.requests.last?.messages.last?.content.utf8.count ?? 0) <= 2048)
    #expect(generator.requests.last?.messages.contains { $0.content == "q" } == true)
  }

  @Test("several calls in one turn: all delivered in order, then one follow-up")
  func parallelCalls() async throws {
    for parallel in [false, true] {
      let order = Recorder<String>()
      func ordered(_ name: String) -> RegisteredTool {
        tool(name) { _ in
          order.append(name)
          return ["from": .string(name)]
        }
      }
      let generator = ScriptedGenerator(hermes("a") + "\n" + hermes("b"), "Both.")
      let result = try await ToolLoop(
        generator: generator, tools: [ordered("a"), ordered("b")],
        options: ToolCallingOptions(parallelToolCalls: parallel)
      ).run("go")
      #expect(result.toolCalls.map(\.toolName) == ["a", "b"])
      #expect(result.toolResults.map { $0.result?["from"] } == ["a", "b"])
      if !parallel { #expect(order.all == ["a", "b"]) }
      #expect(generator.requests.count == 2)
      #expect(Set(result.toolCalls.map(\.id)).count == 2)
    }
  }

  @Test("a second tool after the first result")
  func twoRounds() async throws {
    let generator = ScriptedGenerator(hermes("a"), hermes("b"), "Done.")
    let result = try await ToolLoop(
      generator: generator, tools: [tool("a"), tool("b")], options: ToolCallingOptions(toolChoice: .required)
    ).run("go")
    #expect(result.toolCalls.map(\.toolName) == ["a", "b"])
    #expect(generator.requests.allSatisfy { $0.tools.count == 2 })
  }

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

  @Test("an empty turn behind results is asked once for the answer", arguments: ["The answer.", ""])
  func silence(_ text: String) async throws {
    let generator = ScriptedGenerator(hermes("t"), "", text)
    let result = try await ToolLoop(generator: generator, tools: [tool("t")], options: ToolCallingOptions()).run("go")
    #expect(result.text == text)
    #expect(generator.requests.map { $0.messages.last?.role } == [.user, .tool, .user])
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

  @Test("an unknown tool is answered with the real names and counts (case 48)")
  func unknownTool() async throws {
    let generator = ScriptedGenerator(hermes("nosuch"), hermes("t"), "Done.")
    let result = try await ToolLoop(
      generator: generator, tools: [tool("t")], options: ToolCallingOptions(grammar: .off)
    ).run("go")
    #expect(result.toolCalls.map(\.toolName) == ["nosuch", "t"])
    #expect(result.toolResults.first?.error?.contains("the tools are: t") == true)
    #expect(result.text == "Done.")
  }

  @Test("without a grammar, arguments that don't fit go back as an error that names the parameter")
  func uncheckedArguments() async throws {
    let runs = Counter()
    let counted = tool("t", [city]) { _ in
      runs.increment()
      return [:]
    }
    let generator = ScriptedGenerator(
      hermes("t", #"{"city": 3}"#), hermes("t"), hermes("t", #"{"city": "a", "x": 1}"#), hermes("t", #"{"city": "a"}"#),
      "Done.")
    let result = try await ToolLoop(
      generator: generator, tools: [counted], options: ToolCallingOptions(grammar: .off)
    ).run("go")
    #expect(runs.value == 1)
    let errors = result.toolResults.compactMap(\.error)
    #expect(errors.count == 3 && errors.allSatisfy { $0.contains("city") }, "\(errors)")
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

  @Test("without tools it is plain generation")
  func withoutTools() async throws {
    let generator = ScriptedGenerator(hermes("t"))
    let result = try await ToolLoop(generator: generator, tools: [], options: ToolCallingOptions()).run("go")
    #expect(result.text == hermes("t"))
    #expect(generator.requests[0].constraint == nil && generator.requests[0].messages == [.user("go")])
  }

  @Test("the program's system text; guidance under auto only, the same in every round")
  func systemText() async throws {
    func requests(_ options: ToolCallingOptions) async throws -> [TurnRequest] {
      let generator = ScriptedGenerator(hermes("t"), "Hello.")
      _ = try await ToolLoop(generator: generator, tools: [tool("t")], options: options).run("go")
      return generator.requests
    }
    let auto = try await requests(ToolCallingOptions(systemPrompt: "S"))
    #expect(auto.map(\.guidance) == [ToolCallingOptions.defaultGuidance, ToolCallingOptions.defaultGuidance])
    #expect(auto.allSatisfy { $0.messages.first == .system("S") })
    #expect(try await requests(ToolCallingOptions(guidance: ""))[0].guidance == nil)
    #expect(try await requests(ToolCallingOptions(toolChoice: .required)).map(\.guidance) == [nil, nil])
    #expect(try await requests(ToolCallingOptions(toolChoice: .none))[0].tools.isEmpty)
  }

  @Test("approval: the run ends with the calls, and goes on with their results")
  func approval() async throws {
    let generator = ScriptedGenerator(hermes("t", #"{"city": "Rome"}"#), "Done.")
    let runs = Counter()
    let counted = tool("t", [city]) { _ in
      runs.increment()
      return [:]
    }
    let loop = ToolLoop(generator: generator, tools: [counted], options: ToolCallingOptions(autoExecute: false))
    let first = try await loop.run("go")
    #expect(first.finishReason == .toolCalls)
    #expect(first.pendingCalls.map(\.description) == ["t(city: \"Rome\")"])
    #expect(runs.value == 0)
    await #expect(throws: ToolLoopError.self) { try await loop.resume(first, results: []) }
    let second = try await loop.resume(first, results: [.success(["x": 1], of: first.pendingCalls[0])])
    #expect(second.text == "Done.")
    #expect(second.toolCalls.count == 1 && second.toolResults.count == 1)
    #expect(generator.requests[1].messages.last?.content == #"{"x": 1}"#)
    await #expect(throws: ToolLoopError.self) { try await loop.resume(second, results: []) }
  }

  @Test("cancelling inside a handler ends the run at once")
  func cancelInHandler() async throws {
    let started = Counter()
    let slow = tool("t") { _ in
      started.increment()
      // Ignores cancellation on purpose.
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        Task.detached {
          try? await Task.sleep(for: .seconds(2))
          continuation.resume()
        }
      }
      return [:]
    }
    let task = Task {
      try await ToolLoop(
        generator: ScriptedGenerator(hermes("t"), "Done."), tools: [slow], options: ToolCallingOptions()
      ).run("go")
    }
    while started.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let clock = ContinuousClock()
    let start = clock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now - start < .milliseconds(500))
  }
}
