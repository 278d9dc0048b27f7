import ChatTemplate
import Testing
import Tools

@Suite("The tool loop, row by row")
struct ToolLoopTests {
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

  @Test("an empty turn behind results is asked once for the answer", arguments: ["The answer.", ""])
  func silence(_ text: String) async throws {
    let generator = ScriptedGenerator(hermes("t"), "", text)
    let result = try await ToolLoop(generator: generator, tools: [tool("t")], options: ToolCallingOptions()).run("go")
    #expect(result.text == text)
    #expect(generator.requests.map { $0.messages.last?.role } == [.user, .tool, .user])
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
    #expect(auto.map(\.wording.abstention) == [ToolCallingOptions.defaultGuidance, ToolCallingOptions.defaultGuidance])
    #expect(auto.allSatisfy { $0.messages.first == .system("S") })
    #expect(try await requests(ToolCallingOptions(guidance: ""))[0].wording.abstention == "")
    #expect(try await requests(ToolCallingOptions(toolChoice: .required)).map(\.wording.abstention) == [nil, nil])
    #expect(try await requests(ToolCallingOptions(toolChoice: .none))[0].tools.isEmpty)
  }

  @Test("a call that is written twice in one turn counts once; another one between them doesn't")
  func saidTwice() async throws {
    let rome = hermes("t", #"{"city": "Rome"}"#)
    let oslo = hermes("t", #"{"city": "Oslo"}"#)
    for (turn, wanted) in [
      ([rome, rome, rome], ["Rome"]), ([rome, rome, oslo], ["Rome", "Oslo"]),
      ([rome, oslo, rome], ["Rome", "Oslo", "Rome"]),
    ] {
      let generator = ScriptedGenerator(turn.joined(separator: "\n"), "Done.")
      let result = try await ToolLoop(
        generator: generator, tools: [tool("t", [city])], options: ToolCallingOptions(autoExecute: false)
      ).run("go")
      #expect(result.pendingCalls.map { $0.arguments["city"]?.stringValue } == wanted)
      #expect(!result.limitReached)
    }
  }

  @Test("of a tool that allows repeats identical calls all run, in one turn and in the next, up to the limit")
  func repeatsAllowed() async throws {
    let rolls = Counter()
    let dice = RegisteredTool(
      ToolDefinition(name: "roll", description: "", parameters: [], allowsRepeats: true)
    ) { _ in
      rolls.increment()
      return ["n": .integer(rolls.value)]
    }
    for parallel in [false, true] {
      let before = rolls.value
      let generator = ScriptedGenerator(
        [hermes("roll"), hermes("roll")].joined(separator: "\n"), hermes("roll"), "Done.")
      let result = try await ToolLoop(
        generator: generator, tools: [dice], options: ToolCallingOptions(parallelToolCalls: parallel)
      ).run("Roll two dice, and then one more.")
      #expect(result.toolCalls.count == 3 && rolls.value - before == 3)
      #expect(Set(result.toolResults.map { $0.result?["n"]?.integerValue }).count == 3)
      #expect(!result.limitReached && result.text == "Done.")
    }
    let again = ScriptedGenerator(hermes("roll"), hermes("roll"), hermes("roll"), "Done.")
    let limited = try await ToolLoop(
      generator: again, tools: [dice], options: ToolCallingOptions(maxToolCalls: 2)
    ).run("Roll on.")
    #expect(limited.toolCalls.count == 2 && limited.limitReached)
  }

  @Test("an answer without tools knows of them in words: first sentences and names behind the system text, or in one")
  func mention() async throws {
    let weather = ToolDefinition(
      name: "get_weather", description: "Get current weather\nfor a city. Costs a cent.", parameters: [city])
    let clock = ToolDefinition(name: "clock", description: "", parameters: [])
    func messages(_ options: ToolCallingOptions, _ tools: [ToolDefinition]) async throws -> [LLMMessage]? {
      let generator = ScriptedGenerator("Fine.")
      let registered = tools.map { RegisteredTool($0) { _ in [:] } }
      _ = try await ToolLoop(generator: generator, tools: registered, options: options).run("Hi")
      return generator.requests[0].messagesWithoutTools
    }
    let list = "X: Get current weather for a city (get_weather); clock."
    let plain = try await messages(ToolCallingOptions(toolMention: "X:"), [weather, clock])
    #expect(plain == [.system("You are a helpful assistant. \(list)"), .user("Hi")])
    let own = try await messages(ToolCallingOptions(systemPrompt: "Be kind.", toolMention: "X:"), [weather, clock])
    #expect(own == [.system("Be kind.\n\n\(list)"), .user("Hi")])
    #expect(try await messages(ToolCallingOptions(toolMention: ""), [weather]) == [.user("Hi")])
    #expect(try await messages(ToolCallingOptions(callCheck: ""), [weather]) == nil)
    let many = (0..<100).map {
      ToolDefinition(name: "t\($0)", description: String(repeating: "word ", count: 100), parameters: [])
    }
    let long = try await messages(ToolCallingOptions(), many)?.first?.content ?? ""
    #expect(long.utf8.count < 1300 && long.hasSuffix("; and more.") && long.contains("… (t0);"))
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
}
