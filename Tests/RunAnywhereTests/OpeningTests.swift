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
      let options = ToolCallingOptions(maxToolCalls: 1, autoExecute: false, temperature: 0)
      let result = try await LanguageModel(engine: engine(spelling)).respond(
        to: "q", tools: [tool("a"), tool("b")], options: options)
      #expect(result.pendingCalls.count == 1, "\(spelling)")
      #expect(result.text.isEmpty, "\(spelling)")
    }
  }

  @Test("with one tool the beginning of its name is enough")
  func singleTool() async throws {
    let options = ToolCallingOptions(maxToolCalls: 1, autoExecute: false, temperature: 0)
    let result = try await LanguageModel(engine: engine("{\"name\": \"lookup\"")).respond(
      to: "q", tools: [tool("look")], options: options)
    #expect(result.pendingCalls.map(\.toolName) == ["look"])
    // What is run beside the prompt and the answer is counted.
    #expect(result.usage.weighedTokens > 0)
  }

  @Test("a larger share, or no tool of that name, leaves it an answer; so does an unlikely beginning")
  func notEnough() async throws {
    let options = ToolCallingOptions(autoExecute: false, temperature: 0, callShare: 0.5)
    for spelling in spellings {
      let careful = try await LanguageModel(engine: engine(spelling)).respond(
        to: "q", tools: [tool("a"), tool("b")], options: options)
      #expect(careful.text == "The sun shines." && careful.pendingCalls.isEmpty, "\(spelling)")
      let other = try await LanguageModel(engine: engine(spelling)).respond(
        to: "q", tools: [tool("c"), tool("d")], options: ToolCallingOptions(autoExecute: false, temperature: 0))
      #expect(other.text == "The sun shines." && other.pendingCalls.isEmpty, "\(spelling)")
      let unlikely = try await LanguageModel(engine: engine(spelling, rank: 4)).respond(
        to: "q", tools: [tool("a"), tool("b")], options: ToolCallingOptions(autoExecute: false, temperature: 0))
      #expect(unlikely.text == "The sun shines.", "\(spelling)")
    }
  }

  @Test("an answer never spells a call of a tool, not even in a fence in its middle (case 35)")
  func noCallInText() async throws {
    let wish = "Use this:\n```json\n{\n  \"name\": \"a\",\n  \"arguments\": {}\n}\n```"
    let result = try await LanguageModel(engine: .saying(wish)).respond(
      to: "q", tools: [tool("a")], options: ToolCallingOptions(temperature: 0, maxTokens: 80))
    #expect(result.text.hasPrefix("Use this:"))
    #expect(!result.text.contains("\"name\": \"a\""))
  }
}
