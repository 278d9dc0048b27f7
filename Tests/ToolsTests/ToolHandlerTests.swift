import JSON
import TestSupport
import Testing
import Tools

@Suite("Handlers and their results")
struct ToolHandlerTests {
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
      do { try await Task.sleep(for: Slowness.hang) } catch { cancelled.increment() }
      return ["late": true]
    }
    let options = ToolCallingOptions(handlerTimeout: .milliseconds(50))
    let result = try await ToolLoop(
      generator: ScriptedGenerator(hermes("t"), "Done."), tools: [slow], options: options
    ).run("go")
    #expect(result.toolResults.first?.error?.contains("0.05 seconds") == true)
    #expect(await eventually { cancelled.value == 1 })
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

  @Test("cancelling inside a handler ends the run at once")
  func cancelInHandler() async throws {
    let started = Counter()
    let returned = Counter()
    let slow = tool("t") { _ in
      started.increment()
      // Ignores cancellation on purpose.
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        Task.detached {
          try? await Task.sleep(for: Slowness.hang)
          continuation.resume()
        }
      }
      returned.increment()
      return [:]
    }
    let task = Task {
      try await ToolLoop(
        generator: ScriptedGenerator(hermes("t"), "Done."), tools: [slow], options: ToolCallingOptions()
      ).run("go")
    }
    #expect(await eventually { started.value == 1 })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(returned.value == 0, "the run waited for the handler")
  }
}
