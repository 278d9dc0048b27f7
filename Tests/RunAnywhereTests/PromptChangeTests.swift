import Foundation
import GGUF
import JSON
import RunAnywhere
import TestSupport
import Testing
import Tokenizer

@Suite("What stays of a prompt")
struct PromptChangeTests {
  @Test("the shared beginning, against brute force")
  func bruteForce() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      func list() -> [Int] {
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in Int.random(in: 0...1, using: &generator) }
      }
      let (old, new) = (list(), list())
      let change = PromptChange(from: old, to: new)
      let longest = (0...6).last { $0 <= min(old.count, new.count) && old[..<$0] == new[..<$0] }
      #expect(change.shared == longest && change.before == old.count && change.after == new.count)
      #expect(change.keepsPrefix == new.starts(with: old))
    }
  }

  @Test("a model tells it for its own template")
  func ofAModel() throws {
    let model = LanguageModel(engine: .saying("x"))
    let question: [LLMMessage] = [.system("Be kind."), .user("Hi")]
    let same = try model.promptChange(from: question, to: question + [.assistant("Yes."), .user("And?")])
    #expect(same.keepsPrefix && same.after > same.before && same.removed.isEmpty)
    let changed = try model.promptChange(from: question, to: [.system("Be rude."), .user("Hi")])
    #expect(!changed.keepsPrefix && changed.removed.hasPrefix("kind.") && changed.inserted.hasPrefix("rude."))
    #expect("\(changed)".hasPrefix("keeps \(changed.shared) of \(changed.before) tokens; then \"kind."))
  }

  private static let tool: JSONValue = [
    "type": "function",
    "function": [
      "name": "get_weather", "description": "Weather of a city",
      "parameters": ["type": "object", "properties": ["city": ["type": "string"]], "required": ["city"]],
    ],
  ]

  private static let conversation: JSONValue = [
    ["role": "system", "content": "Be brief."], ["role": "user", "content": "Weather in Oslo?"],
    [
      "role": "assistant", "content": "",
      "tool_calls": [
        ["id": "call00001", "type": "function", "function": ["name": "get_weather", "arguments": ["city": "Oslo"]]]
      ],
    ],
    ["role": "tool", "tool_call_id": "call00001", "name": "get_weather", "content": "{\"t\": 21}"],
    ["role": "assistant", "content": "It is 21 degrees."], ["role": "user", "content": "And Rome?"],
    ["role": "assistant", "content": "I don't know."], ["role": "user", "content": "Why?"],
  ]

  /// The templates that rewrite earlier turns in a conversation with tools: reasoning that is only begun in the open
  /// turn, tools or a system text that move along with the last question, a line end between neighbours.
  private static let rewriting: Set<String> = [
    "Apriel-1.6-15b-Thinker-fixed", "Bielik-11B-v3.0-Instruct", "GLM-4.7-Flash", "Qwen-QwQ-32B", "Qwen3.5-4B",
    "Mistral-Small-3.2-24B-Instruct-2506", "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use", "Spark2.5",
    "StepFun3.5-Flash",
    "deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B",
    "deepseek-ai-DeepSeek-V3.2", "gguf-gemma-4", "google-gemma-4-31B-it", "google-gemma-4-31B-it-interleaved",
    "llama-cpp-deepseek-r1", "mistralai-Mistral-Nemo-Instruct-2407",
  ]

  @Test(
    "every template: a turn more leaves the tokens as they were, or it is said where they change",
    .enabled(if: SharedData.isPresent, "needs the templates in ../shared"),
    arguments: ["ggml-vocab-llama-bpe.gguf", "ggml-vocab-qwen2.gguf"])
  func allTemplates(_ vocabulary: String) throws {
    let file = try GGUFFile(path: SharedData.url("data/vocab/\(vocabulary)").path)
    let tokenizer = try Tokenizer(file)
    var rewriting: Set<String> = []
    for url in try FileManager.default.contentsOfDirectory(
      at: SharedData.url("data/templates/jinja"), includingPropertiesForKeys: nil)
    {
      let name = url.deletingPathExtension().lastPathComponent
      let source = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      let texts = try PromptInspection(source: source, origin: name)
      let tokens = try PromptInspection(file, tokenizer: tokenizer, template: .text(source, origin: name))
      for tools in [[], [Self.tool]] {
        let inText = try texts.growth(Self.conversation, tools: tools, options: .init())
        let inTokens = try tokens.growth(Self.conversation, tools: tools, options: .init())
        #expect(inText.map(\.messages) == [4, 6, 8] && inTokens.map(\.messages) == [4, 6, 8])
        for (text, token) in zip(inText.map(\.change), inTokens.map(\.change)) {
          if !text.keepsPrefix { rewriting.insert(name) }
          // Where the text stays, no more than the last tokens may join what follows, in a vocabulary that spells the
          // family's marks in letters.
          if text.keepsPrefix { #expect(token.shared >= token.before - 3, "\(name): \(token)") }
          for change in [text, token] {
            #expect(change.shared > 0 && change.shared <= min(change.before, change.after))
            #expect(change.keepsPrefix == change.removed.isEmpty, "\(name): \(change)")
          }
        }
      }
    }
    #expect(rewriting == Self.rewriting)
  }
}
