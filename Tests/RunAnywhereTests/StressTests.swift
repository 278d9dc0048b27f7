import Foundation
import RunAnywhere
import TestSupport
import Testing
import Tools

/// Many callers, many cancellations, handlers that ask back.
@Suite("Load and cancel storms (case 50)", .serialized)
struct StressTests {
  private let greedy = LLMGenerationOptions(maxTokens: 12, temperature: 0)

  @Test("a storm of requests that are cancelled at random moments leaves the model as it was", .timeLimit(.minutes(10)))
  func cancelStorm() async throws {
    let log = ScriptedPredictor.Log()
    let model = LanguageModel(engine: .endless(pause: 0.0005, log: log))
    var generator = SeededGenerator(seed: 51)
    let expected = try await model.respond(to: "x", options: greedy).text
    for round in 0..<12 {
      let waits = (0..<16).map { _ in Int.random(in: 0...30, using: &generator) }
      let outcomes = await withTaskGroup(of: String.self) { group in
        for (index, wait) in waits.enumerated() {
          group.addTask {
            let task = Task {
              if index % 3 == 0 {
                var text = ""
                for try await chunk in model.streamResponse(to: "go \(index)", options: greedy).stream { text += chunk }
                return text
              }
              return try await model.respond(to: "go \(index)", options: greedy).text
            }
            try? await Task.sleep(for: .milliseconds(wait))
            task.cancel()
            do {
              return try await task.value
            } catch {
              return (error as? SDKError)?.code == .cancelled || error is CancellationError ? "cancelled" : "\(error)"
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      // A stream that is cancelled may end with what it has said so far.
      #expect(
        outcomes.allSatisfy { $0 == "cancelled" || expected.hasPrefix($0) }, "seed 51, round \(round): \(outcomes)")
      #expect(try await model.respond(to: "x", options: greedy).text == expected, "seed 51, round \(round)")
    }
  }

  @Test("eight sessions at the same time, each as if alone", .timeLimit(.minutes(10)))
  func eightSessions() async throws {
    let model = LanguageModel(engine: .conversing(["One.", "Two.", "Three.", "Four."]))
    try await withThrowingTaskGroup(of: [String].self) { group in
      for caller in 0..<8 {
        group.addTask {
          let session = ChatSession(model)
          var answers: [String] = []
          for question in 0..<4 {
            answers.append(
              try await session.respond(to: "\(caller) asks \(question)", options: .init(temperature: 0)).text)
          }
          return answers
        }
      }
      for try await answers in group { #expect(answers == ["One.", "Two.", "Three.", "Four."]) }
    }
  }

  private func tool(_ name: String, _ handler: @escaping ToolHandler) -> Tool {
    Tool(ToolDefinition(name: name, description: "", parameters: []), handler: handler)
  }

  private let call = "<tool_call>\n{\"name\": \"ask\", \"arguments\": {}}\n</tool_call>"

  @Test("a handler may ask the model that waits for it", .timeLimit(.minutes(10)))
  func reentrantHandler() async throws {
    let model = LanguageModel(engine: .conversing([call, "Done."]))
    let inner = LanguageModel(engine: .saying("inner"))
    let asked = Recorder<String>()
    let ask = tool("ask") { _ in
      // The model itself, in a conversation of its own, and another one.
      let same = try await model.respond(to: "again", options: LLMGenerationOptions(maxTokens: 200, temperature: 0))
      asked.append(same.text)
      return ["inner": .string(try await inner.respond(to: "q", options: LLMGenerationOptions(temperature: 0)).text)]
    }
    let result = try await model.respond(to: "q", tools: [ask], options: ToolCallingOptions(temperature: 0))
    #expect(result.text == "Done." && result.toolResults.first?.result?["inner"] == "inner", "\(result)")
    #expect(asked.all == [call])
  }

  @Test("a handler that asks the session that waits for it is told so, and does not wait", .timeLimit(.minutes(10)))
  func reentrantSession() async throws {
    let session = ChatSession(LanguageModel(engine: .conversing([call, "Done."])))
    let ask = tool("ask") { [session] _ in ["text": .string(try await session.respond(to: "again").text)] }
    let result = try await session.respond(to: "q", tools: [ask], options: ToolCallingOptions(temperature: 0))
    #expect(result.text == "Done.")
    #expect(result.toolResults.first?.success == false)
    #expect(result.toolResults.first?.error?.contains("session") == true, "\(result.toolResults)")
  }
}

/// The façade's tests run one after the other, and these belong to them.
extension FacadeTests {
  private static let greedy = ToolCallingOptions(temperature: 0)
  private static let asking = "<tool_call>\n{\"name\": \"a\", \"arguments\": {}}\n</tool_call>"

  @Test("tools that come and go while an answer is generated (case 50)", .timeLimit(.minutes(10)))
  func registrationDuringGeneration() async throws {
    await RunAnywhere.clearTools()
    await RunAnywhere.use(LanguageModel(engine: .conversing([Self.asking, "Done."])))
    await RunAnywhere.registerTool(ToolDefinition(name: "a", description: "", parameters: [])) { _ in
      // A handler may change the tools; the run under way keeps those with which it began.
      await RunAnywhere.registerTool(ToolDefinition(name: "b", description: "", parameters: [])) { _ in [:] }
      await RunAnywhere.unregisterTool("a")
      return ["ok": true]
    }
    let churn = Task {
      while !Task.isCancelled {
        for index in 0..<20 {
          await RunAnywhere.registerTool(ToolDefinition(name: "t\(index)", description: "", parameters: [])) { _ in [:]
          }
        }
        for index in 0..<20 { await RunAnywhere.unregisterTool("t\(index)") }
        await Task.yield()
      }
    }
    let result = try await RunAnywhere.generateWithTools(prompt: "q", options: Self.greedy)
    churn.cancel()
    await churn.value
    #expect(result.text == "Done." && result.toolCalls.map(\.toolName) == ["a"], "\(result)")
    #expect(await RunAnywhere.registeredTools().map(\.name).contains("b"))
    await RunAnywhere.clearTools()
  }

  @Test("models loaded and let go while answers are generated (case 50)", .timeLimit(.minutes(10)))
  func loadUnderUse() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString).gguf")
    defer { try? FileManager.default.removeItem(at: file) }
    var tiny = TinyModel()
    tiny.contextLength = 1024
    tiny.chatTemplate = TinyModel.chatML
    try Data(try tiny.bytes()).write(to: file)
    let stop = Recorder<Bool>()
    let outcomes = Recorder<String>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          while stop.all.isEmpty {
            var outcome = "done"
            do {
              _ = try await RunAnywhere.generate("hello", options: LLMGenerationOptions(maxTokens: 20, temperature: 0))
            } catch {
              outcome = (error as? SDKError).map { "\($0.code)" } ?? "\(error)"
            }
            outcomes.append(outcome)
            // Without a model this is a loop that never waits, and the cooperative threads are few.
            try? await Task.sleep(for: .milliseconds(1))
          }
        }
      }
      group.addTask {
        for round in 0..<25 {
          try? await RunAnywhere.loadModel(modelId: file.path)
          try? await Task.sleep(for: .milliseconds(round % 5 * 4))
          if round % 3 == 0 { await RunAnywhere.unloadModel() }
          if round % 4 == 0 { await RunAnywhere.cancelGeneration() }
        }
        stop.append(true)
      }
    }
    let seen = Set(outcomes.all)
    #expect(seen.isSubset(of: ["done", "cancelled", "notInitialized"]), "\(seen)")
    try await RunAnywhere.loadModel(modelId: file.path)
    _ = try await RunAnywhere.generate("hello", options: LLMGenerationOptions(maxTokens: 4, temperature: 0))
    await RunAnywhere.unloadModel()
  }
}
