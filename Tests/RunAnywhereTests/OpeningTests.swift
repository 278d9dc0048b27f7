import Foundation
import RunAnywhere
import Testing
import Tools

@Suite("An answer or calls, weighed before the first token")
struct OpeningTests {
  private func tool(_ name: String) -> Tool {
    Tool(ToolDefinition(name: name, description: "", parameters: [])) { _ in ["n": 1] }
  }

  private static func text(_ produced: [Int]) -> String {
    String(decoding: produced.flatMap { ByteCodec().bytes(of: $0) }, as: UTF8.self)
  }

  /// A model that would begin an answer, and next to that `spelling`; it writes on what it has begun.
  private func engine(_ spelling: String, rank: Int = 1) -> Engine {
    let codec = ByteCodec()
    let call = codec.encode(bytes: Array(spelling.utf8))
    return .scripted { produced, seen in
      let text = OpeningTests.text(produced)
      if text.isEmpty {
        return [84] + Array(repeating: 1, count: rank - 1) + [call[0]]
      }
      if "The sun shines.".hasPrefix(text) {
        return text == "The sun shines." ? [ByteCodec.end] : [Int(Array("The sun shines.".utf8)[text.utf8.count])]
      }
      if produced.count < call.count, call.starts(with: produced) { return [call[produced.count]] }
      return [34, 125, 10, ByteCodec.end]
    }
  }

  private let spellings = [
    "<tool_call>\n{\"name\": \"a\"", "```json\n{\n  \"name\": \"b\"", "{\"name\": \"a\"", "[{\"name\": \"b\"",
    "{{\"name\": \"a\"",
  ]

  @Test("a beginning that is likely enough makes the turn a call, in the canonical form (case 35)")
  func likelyEnough() async throws {
    for spelling in spellings {
      let options = ToolCallingOptions(maxToolCalls: 1, autoExecute: false, temperature: 0, callCheck: "")
      let result = try await LanguageModel(engine: engine(spelling)).respond(
        to: "q", tools: [tool("a"), tool("b")], options: options)
      #expect(result.pendingCalls.count == 1, "\(spelling)")
      #expect(result.text.isEmpty, "\(spelling)")
    }
  }

  @Test("with one tool the beginning of its name is enough")
  func singleTool() async throws {
    let options = ToolCallingOptions(maxToolCalls: 1, autoExecute: false, temperature: 0, callCheck: "")
    let result = try await LanguageModel(engine: engine("{\"name\": \"lookup\"")).respond(
      to: "q", tools: [tool("look")], options: options)
    #expect(result.pendingCalls.map(\.toolName) == ["look"])
    // What is run beside the prompt and the answer is counted.
    #expect(result.usage.weighedTokens > 0)
  }

  @Test("a larger share, or no tool of that name, leaves it an answer; so does an unlikely beginning")
  func notEnough() async throws {
    let options = ToolCallingOptions(autoExecute: false, temperature: 0, callShare: 0.5, callCheck: "")
    for spelling in spellings {
      let careful = try await LanguageModel(engine: engine(spelling)).respond(
        to: "q", tools: [tool("a"), tool("b")], options: options)
      #expect(careful.text == "The sun shines." && careful.pendingCalls.isEmpty, "\(spelling)")
      let other = try await LanguageModel(engine: engine(spelling)).respond(
        to: "q", tools: [tool("c"), tool("d")],
        options: ToolCallingOptions(autoExecute: false, temperature: 0, callCheck: ""))
      #expect(other.text == "The sun shines." && other.pendingCalls.isEmpty, "\(spelling)")
      let unlikely = try await LanguageModel(engine: engine(spelling, rank: 4)).respond(
        to: "q", tools: [tool("a"), tool("b")],
        options: ToolCallingOptions(autoExecute: false, temperature: 0, callCheck: ""))
      #expect(unlikely.text == "The sun shines.", "\(spelling)")
    }
  }

  /// A model that would rather answer than call, and says yes to the question about requests with "tool" in them.
  private func asked(log: ScriptedPredictor.Log? = nil) -> Engine {
    let call = ByteCodec().encode(bytes: Array("{\"name\": \"a\"".utf8))
    return .scripted(log: log) { produced, seen in
      let text = OpeningTests.text(produced)
      let prompt = OpeningTests.text(seen)
      let request = prompt[(prompt.range(of: "user", options: .backwards)?.upperBound ?? prompt.startIndex)...]
      if request.contains("Answer yes or no") {
        let word = request.contains("tool") ? "Yes" : "No"
        return word.hasPrefix(text) && text != word ? [Int(Array(word.utf8)[text.utf8.count])] : [ByteCodec.end]
      }
      if text.isEmpty { return [84, call[0]] }
      if "The sun shines.".hasPrefix(text) {
        return text == "The sun shines." ? [ByteCodec.end] : [Int(Array("The sun shines.".utf8)[text.utf8.count])]
      }
      if produced.count < call.count, call.starts(with: produced) { return [call[produced.count]] }
      return [34, 125, 10, ByteCodec.end]
    }
  }

  @Test("a question about the request decides together with the share, and is no part of the conversation")
  func check() async throws {
    let options = ToolCallingOptions(maxToolCalls: 1, autoExecute: false, temperature: 0)
    let model = LanguageModel(engine: asked())
    let called = try await model.respond(to: "a tool", tools: [tool("a"), tool("b")], options: options)
    #expect(called.pendingCalls.map(\.toolName) == ["a"])
    #expect((called.weighing?.check ?? 0) > 2, "\(called.weighing as Any)")
    let answered = try await model.respond(to: "the sun", tools: [tool("a"), tool("b")], options: options)
    #expect(answered.pendingCalls.isEmpty && answered.text == "The sun shines.")
    #expect((answered.weighing?.evidence ?? 9) < options.callEvidence)
    // The answer comes from a prompt without the tools; what was weighed with them is counted apart.
    let withTools = called.usage.promptTokens
    #expect(
      answered.usage.promptTokens < withTools && answered.usage.weighedTokens > 0, "\(answered.usage), \(withTools)")
    #expect(!called.transcript.contains { $0.content.contains("yes or no") })
    // What no evidence could reach is no call, and with an empty question the share alone decides.
    var careful = options
    careful.callEvidence = 1000
    #expect(try await model.respond(to: "a tool", tools: [tool("a")], options: careful).text == "The sun shines.")
    var unasked = options
    unasked.callCheck = ""
    let share = try await model.respond(to: "the sun", tools: [tool("a")], options: unasked)
    #expect(share.pendingCalls.count == 1 && share.weighing?.check == nil)
  }

  @Test("the evidence is the check and a part of the share's log-odds, which are bounded")
  func evidence() {
    #expect(CallWeighing(share: 0.5, check: nil).evidence == nil)
    #expect(CallWeighing(share: 0.5, check: 1.25).evidence == 1.25)
    #expect(
      (CallWeighing(share: 0.6, check: 1).evidence ?? 0) > 1 && (CallWeighing(share: 0.4, check: 1).evidence ?? 2) < 1)
    #expect(CallWeighing(share: 0, check: 1).evidence == CallWeighing(share: 1e-9, check: 1).evidence)
    #expect(CallWeighing(share: 1, check: 1).evidence?.isFinite == true)
  }

  @Test("a model that has made up its mind to call isn't asked")
  func certain() async throws {
    let log = ScriptedPredictor.Log()
    let call = ByteCodec().encode(bytes: Array("{\"name\": \"a\"".utf8))
    let engine = Engine.scripted(log: log) { produced, _ in
      produced.count < call.count ? [call[produced.count]] : [34, 125, 10, ByteCodec.end]
    }
    let result = try await LanguageModel(engine: engine).respond(
      to: "q", tools: [tool("a")], options: ToolCallingOptions(maxToolCalls: 1, autoExecute: false, temperature: 0))
    #expect(result.pendingCalls.count == 1)
    #expect(result.weighing?.check == nil && (result.weighing?.share ?? 0) > 0.9, "\(result.weighing as Any)")
  }

  @Test(
    "an answer never spells a call of a tool, not even in a fence in its middle, nor with a blank before the name (case 35)",
    arguments: ["a", " a", "lookup_city", " lookup_city"])
  func noCallInText(name: String) async throws {
    let wish = "Use this:\n```json\n{\n  \"name\": \"\(name)\",\n  \"arguments\": {}\n}\n```"
    let result = try await LanguageModel(engine: .saying(wish)).respond(
      to: "q", tools: [tool("a"), tool("lookup_city")], options: ToolCallingOptions(temperature: 0, maxTokens: 80))
    #expect(result.text.hasPrefix("Use this:"))
    #expect(!result.text.contains("\"name\": \"\(name)\""))
  }
}
