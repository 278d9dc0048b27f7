import Foundation
import RunAnywhere
import TestSupport
import Testing

@testable import RunAnywhere

@Suite("Saved sessions")
struct SavedSessionTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString).ra")

  private func model(_ log: ScriptedPredictor.Log? = nil, contextLength: Int = 8192) -> LanguageModel {
    LanguageModel(engine: .conversing(["One.", "Two.", "Three.", "Four."], contextLength: contextLength, log: log))
  }

  private let time = Tool(ToolDefinition(name: "get_time", description: "", parameters: [])) { _ in ["time": "12:00"] }
  private let greedy = LLMGenerationOptions(temperature: 0)

  private func failure(_ body: () async throws -> Void) async -> SDKError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? SDKError
    }
  }

  @Test("a restored session goes on where the saved one stopped, without computing anew")
  func goesOn() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let session = ChatSession(model(), systemPrompt: "Be brief.")
    _ = try await session.respond(to: "first question, long enough to be seen", options: greedy)
    _ = try await session.respond(to: "second", tools: [time], options: ToolCallingOptions(temperature: 0))
    try await session.save(to: file)

    let log = ScriptedPredictor.Log()
    let restored = try await ChatSession(restoring: file, model: model(log))
    #expect(restored.transcript == session.transcript)
    #expect(restored.systemPrompt == "Be brief.")
    #expect(restored.toolNames == ["get_time"])
    // Unasked: an answer behind a check is read from a cache that isn't saved.
    let options = ToolCallingOptions(temperature: 0, callCheck: "")
    let next = try await restored.respond(to: "third", tools: [time], options: options)
    let unbroken = try await session.respond(to: "third", tools: [time], options: options)
    #expect(next.text == "Three." && unbroken.text == next.text)
    // What the model leans to with these tools is found out once a model, so anew after a restart.
    var usage = next.usage
    usage.weighedTokens = unbroken.usage.weighedTokens
    #expect(usage == unbroken.usage)
    #expect(next.usage.cachedTokens > 100 && next.usage.prefilledTokens < 60, "\(log.all) \(next.usage)")
  }

  @Test("saving replaces a file in one step, also while a question is being answered")
  func replaces() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let session = ChatSession(model())
    try await session.save(to: file)
    #expect(try await ChatSession(restoring: file, model: model()).transcript.isEmpty)
    let answer = Task { try await session.respond(to: "first", options: greedy) }
    _ = try await answer.value
    try await session.save(to: file)
    #expect(try await ChatSession(restoring: file, model: model()).transcript.count == 2)
    let folder = file.deletingLastPathComponent()
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix(".\(file.lastPathComponent)") }
    #expect(left.isEmpty)
    let nowhere = await failure { try await session.save(to: URL(filePath: "/no/such/folder/file")) }
    #expect(nowhere?.code == .processingFailed && nowhere?.message.contains("no folder /no/such/folder") == true)
  }

  @Test("only files are replaced: not a pipe, a device or a folder, and of a link what it names")
  func ordinaryFiles() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sessions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = ChatSession(model())
    let pipe = folder.appending(path: "pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    for (url, reason) in [(pipe, "no ordinary file"), (folder, "a folder")] {
      let error = await failure { try await session.save(to: url) }
      #expect(error?.code == .processingFailed && error?.message.contains(reason) == true, "\(url): \(error as Any)")
    }
    #expect(
      try FileManager.default.attributesOfItem(atPath: pipe.path)[.type] as? FileAttributeType != .typeRegular)
    let link = folder.appending(path: "link")
    try Data("old".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    try await session.save(to: link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
    #expect(try await ChatSession(restoring: file, model: model()).transcript.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link", "pipe"])
  }

  @Test("another model, another format, no file: told apart")
  func refusals() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let session = ChatSession(model())
    _ = try await session.respond(to: "first", options: greedy)
    try await session.save(to: file)
    let other = await failure { _ = try await ChatSession(restoring: file, model: model(contextLength: 4096)) }
    #expect(other?.code == .invalidSession && other?.message.contains("another model") == true)
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(6..<10, with: Data("0002".utf8))
    try bytes.write(to: file)
    let later = await failure { _ = try await ChatSession(restoring: file, model: model()) }
    #expect(later?.code == .invalidSession && later?.message.contains("format 2") == true)
    for path in ["/no/such/file", "/", "/dev/zero", "/dev/null"] {
      let error = await failure { _ = try await ChatSession(restoring: URL(filePath: path), model: model()) }
      #expect(error?.code == .invalidSession && error?.message.hasPrefix(path) == true, "\(path): \(error as Any)")
    }
  }

  @Test("a damaged file is an error, never a trap, and the model goes on")
  func damage() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let engine = model()
    let session = ChatSession(engine)
    _ = try await session.respond(to: "first", options: greedy)
    try await session.save(to: file)
    let whole = try Data(contentsOf: file)
    var generator = SeededGenerator(seed: 11)
    for round in 0..<300 {
      var bytes = whole
      switch round % 3 {
      case 0: bytes = bytes.prefix(Int.random(in: 0..<whole.count, using: &generator))
      case 1: bytes[Int.random(in: 0..<whole.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
      default: bytes.append(contentsOf: [UInt8](repeating: 32, count: Int.random(in: 1...9, using: &generator)))
      }
      try Data(bytes).write(to: file)
      let error = await failure {
        // The scripted cache has no checksum of its own, so a damaged digit in it passes; nothing else does.
        let restored = try await ChatSession(restoring: file, model: engine)
        #expect(restored.transcript == session.transcript, "seed 11, round \(round)")
      }
      if let error { #expect(error.code == .invalidSession, "seed 11, round \(round): \(error)") }
    }
    #expect(try await engine.respond(to: "again", options: greedy).text == "One.")
  }

  @Test("with a real cache: the same answer as without a break, and every damage of the cache is noticed")
  func realCache() async throws {
    var tiny = TinyModel()
    tiny.contextLength = 2048
    tiny.chatTemplate = TinyModel.chatML
    let path = FileManager.default.temporaryDirectory.appending(path: "tiny-\(UUID().uuidString).gguf")
    try Data(try tiny.bytes()).write(to: path)
    defer {
      try? FileManager.default.removeItem(at: path)
      try? FileManager.default.removeItem(at: file)
    }
    let options = LLMGenerationOptions(maxTokens: 12, temperature: 0)
    let session = ChatSession(try await LanguageModel(path: path.path))
    _ = try await session.respond(to: "hello there", options: options)
    try await session.save(to: file)
    let restored = try await ChatSession(restoring: file, model: try await LanguageModel(path: path.path))
    let next = try await restored.respond(to: "and again", options: options)
    let unbroken = try await session.respond(to: "and again", options: options)
    #expect(next.text == unbroken.text && next.usage == unbroken.usage && next.usage.cachedTokens > 10)

    let whole = try Data(contentsOf: file)
    let other = try await LanguageModel(path: path.path)
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<40 {
      var bytes = whole
      bytes[Int.random(in: whole.count * 2 / 3..<whole.count, using: &generator)] ^= 1
      try bytes.write(to: file)
      let error = await failure { _ = try await ChatSession(restoring: file, model: other) }
      #expect(error?.code == .invalidSession, "seed 12")
    }
    // A context that is too short for the cache leaves it aside; the conversation is there.
    try whole.write(to: file)
    let short = try await LanguageModel(path: path.path, contextLength: 16)
    #expect(try await ChatSession(restoring: file, model: short).transcript.count == 2)
  }

  @Test("the system text can be replaced in a conversation")
  func systemPrompt() async throws {
    let session = ChatSession(model())
    #expect(session.systemPrompt == nil)
    session.setSystemPrompt("Be brief.")
    _ = try await session.respond(to: "first", options: greedy)
    session.setSystemPrompt("Be long.")
    #expect(session.transcript.map(\.role) == [.system, .user, .assistant])
    #expect(session.systemPrompt == "Be long.")
    session.setSystemPrompt(nil)
    #expect(session.transcript.map(\.role) == [.user, .assistant])
  }

  @Test("approval in a session: it ends with the calls, and goes on with their results")
  func approval() async throws {
    let call = "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {}}\n</tool_call>"
    let session = ChatSession(LanguageModel(engine: .conversing([call, "Noon."])))
    let options = ToolCallingOptions(autoExecute: false, temperature: 0)
    let asked = try await session.respond(to: "What time is it?", tools: [time], options: options)
    #expect(asked.pendingCalls.map(\.toolName) == ["get_time"])
    let results = [try await time.run(asked.pendingCalls[0])]
    #expect(results[0].result == ["time": "12:00"])
    let answered = try await session.respond(with: results, after: asked, tools: [time], options: options)
    #expect(answered.text == "Noon.")
    #expect(session.transcript.map(\.role) == [.user, .assistant, .tool, .assistant])
  }
}
