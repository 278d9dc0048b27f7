import Foundation
import Synchronization
import TestSupport
import Testing
import Tools

@Suite("Where and when handlers run, and what their calls are called")
struct ToolConcurrencyTests {
  /// Blocks the thread until `counter` has counted.
  private func wait(for counter: Counter) -> Bool { eventually { counter.value > 0 } }

  @Test("a handler runs off the main actor: one that blocks keeps nothing there from running") @MainActor
  func offTheMainActor() async throws {
    let onMain = Counter()
    let blocking = tool("t") { _ in
      Task { @MainActor in onMain.increment() }
      return ["free": .boolean(wait(for: onMain))]
    }
    let result = try await ToolLoop(
      generator: ScriptedGenerator(hermes("t"), "Done."), tools: [blocking], options: ToolCallingOptions()
    ).run("go")
    #expect(result.toolResults.first?.result == ["free": true])
  }

  @Test("calls of one turn run one after the other, or all at once if the options say so", arguments: [false, true])
  func overlap(_ parallel: Bool) async throws {
    let running = Atomic(0)
    let most = Atomic(0)
    let entered = Counter()
    func waiting(_ name: String) -> RegisteredTool {
      tool(name) { _ in
        most.max(running.add(1, ordering: .sequentiallyConsistent).newValue, ordering: .sequentiallyConsistent)
        entered.increment()
        // In parallel each waits for the others; one after the other nobody else comes.
        if parallel {
          _ = await eventually { entered.value == 3 }
        } else {
          for _ in 0..<20 { await Task.yield() }
        }
        running.subtract(1, ordering: .sequentiallyConsistent)
        return ["from": .string(name)]
      }
    }
    let names = ["a", "b", "c"]
    let result = try await ToolLoop(
      generator: ScriptedGenerator(names.map { hermes($0) }.joined(separator: "\n"), "Done."),
      tools: names.map(waiting), options: ToolCallingOptions(parallelToolCalls: parallel, handlerTimeout: Slowness.hang)
    ).run("go")
    #expect(most.load(ordering: .sequentiallyConsistent) == (parallel ? 3 : 1))
    #expect(result.toolResults.map { $0.result?["from"]?.stringValue } == names)
  }

  @Test("every call of a conversation has an id of its own, whatever ids its history brings")
  func identifiers() async throws {
    func ids(_ result: ToolCallingResult) -> [String] { result.transcript.flatMap(\.toolCalls).map(\.id) }
    let tools = [tool("t", [ToolParameter(name: "n", type: .integer, description: "")])]
    func answer(_ history: [LLMMessage], autoExecute: Bool = true) async throws -> ToolCallingResult {
      let turn = hermes("t", #"{"n": 1}"#) + hermes("t", #"{"n": 2}"#)
      let loop = ToolLoop(
        generator: ScriptedGenerator(turn, "Done."), tools: tools,
        options: ToolCallingOptions(autoExecute: autoExecute, history: history))
      let result = try await loop.run("go")
      guard !result.pendingCalls.isEmpty else { return result }
      return try await loop.resume(result, results: result.pendingCalls.map { .success(["x": 1], of: $0) })
    }
    let first = try await answer([])
    #expect(ids(first) == ["call00000", "call00001"])
    let second = try await answer(first.transcript, autoExecute: false)
    #expect(ids(second) == ["call00000", "call00001", "call00002", "call00003"])
    // The beginning of the conversation was dropped: what is left keeps its ids, and new ones avoid them.
    let later = try await answer(Array(second.transcript.suffix(5)))
    #expect(Set(ids(later)).count == ids(later).count && ids(later).count == 4, "\(ids(later))")
    let results = later.transcript.filter { $0.role == .tool }.map(\.toolCallId)
    #expect(results == ids(later))
  }
}
