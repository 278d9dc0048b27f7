import RunAnywhere
import Synchronization
import TestSupport
import Testing
import Tools

// What has to be cancelled here would go on for longer than the limit.
@Suite("Cancelling and concurrent use (case 50)", .serialized, .timeLimit(.minutes(5)))
struct ConcurrencyTests {
  private let long = LLMGenerationOptions(maxTokens: 200_000, temperature: 0)

  /// Whether `log` stays as it is for a while; to be asked when a later request has been served, so that what came before
  /// it has been cleared away.
  private func isQuiet(_ log: ScriptedPredictor.Log) async throws -> Bool {
    let count = log.all.count
    try await Task.sleep(for: .milliseconds(100))
    return log.all.count == count
  }

  @Test("leaving the stream stops the work, and the next request is served as if alone (case 50)")
  func leavingTheStream() async throws {
    let log = ScriptedPredictor.Log()
    let model = LanguageModel(engine: .endless(pause: 0.002, log: log))
    func firstChunks() async throws -> String {
      var text = ""
      var count = 0
      for try await chunk in model.streamResponse(to: "go", options: long).stream {
        text += chunk
        count += 1
        if count == 3 { break }
      }
      return text
    }
    #expect(try await firstChunks() == "abc")
    let next = try await model.respond(to: "other", options: .init(maxTokens: 5, temperature: 0))
    #expect(next.text == "abcde")
    #expect(try await isQuiet(log))
  }

  @Test("cancelling in the prompt and in the answer ends with .cancelled at once (case 50)")
  func cancelling() async throws {
    for wait in [20, 300] {
      let log = ScriptedPredictor.Log()
      let model = LanguageModel(engine: .endless(pause: 0.002, log: log))
      let prompt = String(repeating: "q", count: wait == 20 ? 2000 : 10)
      let task = Task { try await model.respond(to: prompt, options: long) }
      try await Task.sleep(for: .milliseconds(wait))
      task.cancel()
      do {
        _ = try await task.value
        Issue.record("no error")
      } catch {
        #expect((error as? SDKError)?.code == .cancelled)
      }
      #expect(try await model.respond(to: "x", options: .init(maxTokens: 3, temperature: 0)).text == "abc")
      #expect(try await isQuiet(log))
    }
  }

  @Test("a request that waits in line leaves it when cancelled")
  func cancellingInLine() async throws {
    let model = LanguageModel(engine: .endless(pause: 0.02))
    let running = Task { try await model.respond(to: "a", options: long) }
    try await Task.sleep(for: .milliseconds(20))
    let waiting = Task { try await model.respond(to: "b", options: long) }
    try await Task.sleep(for: .milliseconds(20))
    waiting.cancel()
    // It doesn't wait for the one under way, which goes on.
    await #expect(throws: SDKError.self) { try await waiting.value }
    running.cancel()
    await #expect(throws: SDKError.self) { try await running.value }
  }

  @Test("eight requests at the same time give what each gives alone (case 50)")
  func eightAtOnce() async throws {
    // The answer depends on the prompt: its letters, shifted.
    let engine = Engine.scripted { produced, seen in
      let question = seen.filter { $0 >= 97 && $0 <= 122 }
      return [produced.count < 12 ? 97 + (question[question.count / 2] + produced.count) % 26 : ByteCodec.end]
    }
    let model = LanguageModel(engine: engine)
    let prompts = (0..<8).map { String(repeating: Character(UnicodeScalar(UInt8(97 + $0))), count: 30 + $0) }
    var solo: [String] = []
    for prompt in prompts { solo.append(try await model.respond(to: prompt, options: .init(temperature: 0)).text) }
    let together = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (index, prompt) in prompts.enumerated() {
        group.addTask { (index, try await model.respond(to: prompt, options: .init(temperature: 0)).text) }
      }
      var texts = [String](repeating: "", count: prompts.count)
      for try await (index, text) in group { texts[index] = text }
      return texts
    }
    #expect(together == solo)
  }

  @Test("questions of a session asked at the same time are answered one after the other")
  func sessionInOrder() async throws {
    let session = ChatSession(LanguageModel(engine: .saying("fine")))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<5 {
        group.addTask { _ = try await session.respond(to: "question \(index)", options: .init(temperature: 0)) }
      }
      try await group.waitForAll()
    }
    #expect(session.transcript.map(\.role) == Array(repeating: [.user, .assistant], count: 5).flatMap { $0 })
  }

  @Test("a model that is let go ends its thread")
  func release() async throws {
    weak var engine: Engine?
    do {
      let strong = Engine.saying("x")
      engine = strong
      _ = try await LanguageModel(engine: strong).respond(to: "go", options: .init(temperature: 0))
    }
    #expect(await eventually { engine == nil })
  }
}
