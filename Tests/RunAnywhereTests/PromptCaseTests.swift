import ChatTemplate
import Foundation
import GGUF
import RunAnywhere
import TestSupport
import Testing
import Tokenizer
import Tools

/// Prompts from end to end: template, tokenizer, and the ids that the model gets.
@Suite("Prompts as ids")
struct PromptCaseTests {
  private static let header =
    "{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
  private static let llama3 = header + "{{ m.content }}<|eot_id|>{% endfor %}"

  private func tiny(_ architecture: TinyModel.Architecture) -> TinyModel {
    var tiny = TinyModel(architecture)
    tiny.chatTemplate = architecture == .llama ? Self.llama3 : TinyModel.chatML
    return tiny
  }

  @Test(
    "an emoji before the end of a turn: the ids spell the prompt, and one end follows it (case 13)",
    arguments: [TinyModel.Architecture.llama, .qwen2],
    ["🥳🥳🥳", "a\r\n", "👨‍👩‍👧", "e\u{301}", "नमस्ते", "กำไร", "<|eot_id|>", "<|im_end|>"])
  func emoji(_ architecture: TinyModel.Architecture, _ text: String) throws {
    let tokenizer = try Tokenizer(try tiny(architecture).file())
    let prompt = try ChatPrompt(
      source: tiny(architecture).chatTemplate, controlTokens: Set(tokenizer.controlTokens.keys),
      bosToken: architecture == .llama ? "<|begin_of_text|>" : nil, eosToken: nil, addsBOS: tokenizer.addsBOS)
    let segments = try prompt.segments(messages: [ChatMessage(role: "user", content: text)], tools: [])
    let ids = tokenizer.encode(segments.map { TextPiece($0.text, allowsSpecial: $0.isTemplate) })
    #expect(tokenizer.decode(ids, showsControl: true).utf8.elementsEqual(segments.text.utf8))
    let end = try #require(tokenizer.controlTokens[architecture == .llama ? "<|eot_id|>" : "<|im_end|>"])
    #expect(ids.count { $0 == end } == 1, "\(ids)")
    let content = tokenizer.encode(text)
    let place = try #require(ids.firstIndex(of: end))
    #expect(Array(ids[..<place].suffix(content.count)) == content)
  }

  @Test("one beginning-of-text token, in chats and completions, whatever the text begins with (case 29)")
  func beginnings() async throws {
    for (addsBOS, expected) in [(true, 1), (false, 0)] {
      var tiny = tiny(.llama)
      tiny.addsBOS = addsBOS
      tiny.chatTemplate = TinyModel.chatML
      tiny.contextLength = 2048
      let file = FileManager.default.temporaryDirectory.appending(path: "bos-\(UUID().uuidString).gguf")
      try Data(try tiny.bytes()).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let model = try await LanguageModel(path: file.path, threads: 1)
      let tokenizer = try Tokenizer(try tiny.file())
      let plain = tokenizer.encode("Hi").count
      let result = try await model.complete("Hi", options: LLMGenerationOptions(maxTokens: 1, temperature: 0))
      #expect(result.usage.promptTokens == plain + expected)
    }
  }
}
