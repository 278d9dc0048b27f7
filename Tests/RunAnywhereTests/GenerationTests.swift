import RunAnywhere
import Synchronization
import Testing
import Tools

@Suite("Generating text")
struct GenerationTests {
  private let greedy = LLMGenerationOptions(maxTokens: 200, temperature: 0)

  private func chunks(_ engine: Engine, _ options: LLMGenerationOptions) async throws -> ([String], LLMGenerationResult)
  {
    let streaming = LanguageModel(engine: engine).streamResponse(to: "go", options: options)
    var chunks: [String] = []
    for try await chunk in streaming.stream { chunks.append(chunk) }
    return (chunks, try await streaming.result.value)
  }

  @Test("characters that come in several tokens appear whole (case 25)")
  func wholeCharacters() async throws {
    let text = "🌧️歪 é ᄀ"
    let cut = Array("🌧️".utf8.dropLast(4))
    let (chunks, result) = try await chunks(.saying(Array(text.utf8).map(Int.init) + cut.map(Int.init)), greedy)
    #expect(chunks.joined() == result.text)
    #expect(result.text == text + String(decoding: cut, as: UTF8.self))
    #expect(chunks.dropLast().allSatisfy { !$0.unicodeScalars.contains("\u{FFFD}") })
  }

  @Test("a byte that is no character does not hold back what follows (case 25)")
  func badByte() async throws {
    let (chunks, result) = try await chunks(.saying([0xFF, 97, 98, 99]), greedy)
    #expect(result.text == "\u{FFFD}abc")
    #expect(chunks.count > 1)
  }

  @Test("every end token ends the turn; control tokens are never shown (case 27)", arguments: [301, 302])
  func endTokens(_ end: Int) async throws {
    let (_, result) = try await chunks(.saying([97, ByteCodec.stray, 98, end, 99]), greedy)
    #expect(result.text == "ab")
    #expect(result.finishReason == .stop)
    #expect(result.tokensUsed == 3)
  }

  @Test("ids beyond the vocabulary are never chosen")
  func paddedIDs() async throws {
    let engine = Engine.scripted(size: 400) { produced, _ in produced.isEmpty ? [399, 97] : [350, ByteCodec.end] }
    #expect(try await chunks(engine, greedy).1.text == "a")
  }

  @Test(
    "stop texts end the answer, aren't part of it, and are found across tokens",
    arguments: [
      ("STOP", "one two "), ("two", "one "), ("o", ""), ("xyz", "one two STOP three"), ("three", "one two STOP "),
    ])
  func stopSequences(_ stop: String, _ expected: String) async throws {
    var options = greedy
    options.stopSequences = [stop, "never"]
    let (chunks, result) = try await chunks(.saying("one two STOP three"), options)
    #expect(result.text == expected)
    #expect(chunks.joined() == expected)
    #expect(result.finishReason == .stop)
  }

  @Test("a control token given as stop text stops")
  func stopToken() async throws {
    var options = greedy
    options.stopSequences = ["<|fim_middle|>"]
    #expect(try await chunks(.saying([97, ByteCodec.stray, 98]), options).1.text == "a")
  }

  @Test("token limits and counts")
  func limits() async throws {
    var options = greedy
    options.maxTokens = 5
    let (_, result) = try await chunks(.endless(), options)
    #expect(result.text == "abcde")
    #expect(result.tokensUsed == 5)
    #expect(result.finishReason == .length)
    options.maxTokens = 0
    await #expect(throws: SDKError.self) { try await chunks(.endless(), options) }
  }

  @Test("a full context ends the answer with length; a prompt that doesn't fit is refused with both numbers")
  func context() async throws {
    let (_, result) = try await chunks(
      .scripted(contextLength: 64) { produced, _ in [97 + produced.count % 26] }, greedy)
    #expect(result.finishReason == .length)
    #expect(result.inputTokens + result.tokensUsed == 64)
    do {
      _ = try await LanguageModel(engine: .saying("x", contextLength: 20)).respond(
        to: String(repeating: "q", count: 50))
      Issue.record("no error")
    } catch let error as SDKError {
      #expect(error.code == .contextTooLong)
      #expect(error.message.contains("20") && error.message.contains("tokens"))
    }
  }

  @Test("an empty prompt is refused")
  func emptyPrompt() async {
    for prompt in ["", " \n"] {
      do {
        _ = try await LanguageModel(engine: .saying("x")).respond(to: prompt)
        Issue.record("no error")
      } catch {
        #expect((error as? SDKError)?.code == .invalidInput)
      }
    }
  }

  @Test("logits that are not finite are an error, with and without temperature")
  func nonFinite() async {
    for temperature in [0, 0.8] {
      let engine = Engine(name: "nan", codec: ByteCodec(), renderer: PlainRenderer()) { NaNPredictor() }
      do {
        _ = try await LanguageModel(engine: engine).respond(
          to: "go", options: LLMGenerationOptions(temperature: temperature))
        Issue.record("no error")
      } catch {
        #expect((error as? SDKError)?.code == .generationFailed)
      }
    }
  }

  private final class NaNPredictor: TokenPredictor {
    let contextLength = 1000
    var count = 0
    func rewind(to count: Int) { self.count = count }
    func forward(_ tokens: [Int], logits: WantedLogits, isCancelled: () -> Bool) throws {
      count += tokens.count
    }
    func logits(at index: Int) -> [Float] { [Float](repeating: .nan, count: 304) }
  }

  @Test("the same seed gives the same answer")
  func seeds() async throws {
    let engine = Engine.scripted { produced, _ in produced.count < 20 ? Array(97...122) : [ByteCodec.end] }
    let model = LanguageModel(engine: engine)
    let options = LLMGenerationOptions(maxTokens: 50, temperature: 1.5, seed: 7)
    let first = try await model.respond(to: "go", options: options).text
    #expect(first == (try await model.respond(to: "go", options: options).text))
    #expect(first.count >= 20)
  }

  @Test("only what is new is prefilled: a longer prompt, a second turn of a session")
  func prefixReuse() async throws {
    let log = ScriptedPredictor.Log()
    let model = LanguageModel(engine: .saying("fine", log: log))
    _ = try await model.respond(to: "the first question", options: greedy)
    let again = try await model.respond(to: "the first question", options: greedy)
    #expect(again.usage.prefilledTokens == 1)
    let session = ChatSession(model)
    let first = try await session.respond(to: "hello", options: greedy)
    let second = try await session.respond(to: "more", options: greedy)
    #expect(first.usage.cachedTokens == 0)
    #expect(second.usage.cachedTokens >= first.usage.promptTokens)
    #expect(session.transcript.map(\.role) == [.user, .assistant, .user, .assistant])
    session.reset()
    #expect(session.transcript.isEmpty)
  }
}
