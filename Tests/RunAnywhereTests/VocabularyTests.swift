import Foundation
import GGUF
import RunAnywhere
import TestSupport
import Testing
import Tokenizer
import Tools

/// Real vocabularies behind the engine, with a scripted model.
@Suite("Real vocabularies", .enabled(if: SharedData.isPresent, "needs the vocabularies in ../shared"))
struct VocabularyTests {
  private func engine(
    _ file: String, prompt: Int = 0, wants: @escaping @Sendable (_ produced: [Int]) -> [Int]
  ) throws -> (Engine, TokenizerCodec) {
    let codec = TokenizerCodec(try Tokenizer(GGUFFile(path: SharedData.url("data/vocab/\(file)").path)))
    let engine = Engine(name: file, codec: codec, renderer: PlainRenderer()) {
      CountingPredictor(size: codec.vocabularySize, prompt: prompt, wants: wants)
    }
    return (engine, codec)
  }

  /// Knows only how many tokens came after the prompt, which is the first run unless its length is given.
  private final class CountingPredictor: TokenPredictor {
    let contextLength = 100_000
    private let size: Int
    private let wants: @Sendable ([Int]) -> [Int]
    private var seen: [Int] = []
    private var prompt: Int
    private var wanted = 1

    init(size: Int, prompt: Int, wants: @escaping @Sendable ([Int]) -> [Int]) {
      self.size = size
      self.prompt = prompt
      self.wants = wants
    }

    var count: Int { seen.count }
    func rewind(to count: Int) { seen.removeSubrange(count...) }
    func forward(_ tokens: [Int], logits: WantedLogits, isCancelled: () -> Bool) throws {
      if prompt == 0 { prompt = tokens.count }
      seen += tokens
      if case .tail(let count) = logits { wanted = count } else { wanted = 1 }
    }
    func logits(at index: Int) -> [Float] {
      var logits = [Float](repeating: -10, count: size)
      let produced = Array(seen.dropLast(wanted - 1 - index).dropFirst(prompt))
      for (rank, id) in wants(produced).enumerated() { logits[id] = 10 - Float(rank) }
      return logits
    }
  }

  @Test(
    "Llama 3: characters over several tokens, and both its ends (cases 25 and 27)",
    arguments: [128_009, 128_001, 128_008])
  func llama(_ end: Int) async throws {
    let ids = [9468, 234, 100, 31643, 15722, 103, 9468]
    let (engine, _) = try engine("ggml-vocab-llama-bpe.gguf") { produced in
      [produced.count < ids.count ? ids[produced.count] : end]
    }
    let streaming = LanguageModel(engine: engine).streamResponse(to: "go", options: .init(temperature: 0))
    var chunks: [String] = []
    for try await chunk in streaming.stream { chunks.append(chunk) }
    #expect(chunks.joined().hasPrefix("🌧️歪"))
    #expect(chunks.joined().unicodeScalars.filter { $0 == "\u{FFFD}" }.count <= 1)
    #expect(chunks.dropLast().allSatisfy { !$0.unicodeScalars.contains("\u{FFFD}") })
  }

  @Test("Qwen: a required call, half of it forced and cut as the tokenizer cuts it")
  func forcedTokens() async throws {
    let call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"San Francisco\"}}\n</tool_call>"
    let tokenizer = try Tokenizer(GGUFFile(path: SharedData.url("data/vocab/ggml-vocab-qwen2.gguf").path))
    let canonical = tokenizer.encode(call)
    let log = Recorder<[Int]>()
    let weather = Tool(
      ToolDefinition(
        name: "get_weather", description: "", parameters: [ToolParameter(name: "city", type: .string, description: "")])
    ) { _ in [:] }
    let time = Tool(ToolDefinition(name: "get_time", description: "", parameters: [])) { _ in [:] }
    var options = ToolCallingOptions(autoExecute: false, temperature: 0, maxTokens: 3, toolChoice: .required)
    let measured = try await LanguageModel(engine: self.engine("ggml-vocab-qwen2.gguf") { _ in [0] }.0).respond(
      to: "q", tools: [weather, time], options: options)
    let (engine, _) = try self.engine("ggml-vocab-qwen2.gguf", prompt: measured.usage.promptTokens) { produced in
      log.append(produced)
      return [produced.count < canonical.count ? canonical[produced.count] : 151_645]
    }
    options.maxTokens = 512
    let result = try await LanguageModel(engine: engine).respond(
      to: "q", tools: [weather, time], options: options)
    #expect(result.toolCalls.map(\.description) == ["get_weather(city: \"San Francisco\")"])
    // Beyond the call stands what was only tried, to decide between its end and another call.
    let longest = (log.all.max { $0.count < $1.count } ?? []).prefix(canonical.count)
    #expect(canonical.prefix(longest.count) == longest, "\(longest) is not how \(canonical) begins")
    #expect(result.usage.forcedTokens * 2 >= result.usage.generatedTokens, "\(result.usage)")
  }
}
