import Foundation
import JSON
import RunAnywhere
import TestSupport
import Testing

@Suite("Which chat template is used")
struct ChatTemplateSourceTests {
  /// A small model in a file; `change` sets its templates.
  private func withModel<Result>(
    named name: String = "tiny", _ change: (inout TinyModel) -> Void, _ body: (String) async throws -> Result
  ) async throws -> Result {
    var tiny = TinyModel()
    change(&tiny)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString).gguf")
    try Data(try tiny.bytes()).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file.path)
  }

  private let hello: JSONValue = [["role": "user", "content": "Hi"]]
  private static let plain = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"

  private func text(_ path: String, _ template: ChatTemplateSource = .automatic) throws -> String {
    try PromptInspection(path: path, template: template).render(hello, tools: [], options: .init()).text
  }

  @Test func theModelsOwn() async throws {
    try await withModel {
      $0.chatTemplate = Self.plain
    } _: { path in
      let model = try await LanguageModel(path: path)
      #expect(model.chatTemplate == ChatTemplateInfo(description: "the model's own", source: Self.plain, isOwn: true))
      #expect(try text(path) == "<|begin_of_text|>[user]Hi")
    }
  }

  @Test("case 32: none, unknown or empty: chosen by the vocabulary, never by the file's name, and said")
  func chosenByVocabulary() async throws {
    for source in [nil, "", "{{ foo }}", "{% if"] {
      try await withModel(named: "qwen-best") {
        $0.chatTemplate = source
      } _: { path in
        let info = try await LanguageModel(path: path).chatTemplate
        #expect(info.description.hasPrefix("the Llama-3 form, chosen by the vocabulary's control tokens ("))
        #expect(!info.isOwn && info.source != nil)
        #expect(try text(path).contains("<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"))
      }
    }
  }

  @Test func byNameAndByText() async throws {
    try await withModel { tiny in
      tiny.chatTemplate = Self.plain
      tiny.namedTemplates = ["tool_use": "T" + Self.plain, "rag": "R" + Self.plain]
    } _: { path in
      let own = try await LanguageModel(path: path).chatTemplate
      #expect(own.description == "the model's own, and its template 'tool_use' for conversations with tools")
      #expect(try text(path, .named("rag")) == "<|begin_of_text|>R[user]Hi")
      #expect(try text(path, .named("default")) == "<|begin_of_text|>[user]Hi")
      let given = ChatTemplateSource.text("G" + Self.plain, origin: "my.jinja")
      #expect(try text(path, given) == "<|begin_of_text|>G[user]Hi")
      let info = try await LanguageModel(path: path, chatTemplate: given).chatTemplate
      #expect(info.description == "my.jinja, in place of the model's own" && !info.isOwn)
      // What was given also serves conversations with tools.
      let tools: [JSONValue] = [["type": "function", "function": ["name": "f", "parameters": [:]]]]
      let prompt = try PromptInspection(path: path, template: given).render(hello, tools: tools, options: .init())
      #expect(prompt.text.hasPrefix("<|begin_of_text|>G["))
    }
  }

  @Test("a choice that can't be honoured is an error when the model is loaded, and never replaced")
  func refused() async throws {
    try await withModel {
      $0.namedTemplates["rag"] = "{% if"
    } _: { path in
      for (choice, words) in [
        (ChatTemplateSource.named("nosuch"), ["'nosuch'", "its templates are: rag"]),
        (.named("rag"), ["the model's template 'rag' can't be used", "line 1"]),
        (.text("{{ foo }}", origin: "my.jinja"), ["my.jinja can't be used", "doesn't print what the user says"]),
        (.text(" ", origin: "my.jinja"), ["my.jinja can't be used: it is empty"]),
      ] {
        let error = await #expect(throws: SDKError.self) { try await LanguageModel(path: path, chatTemplate: choice) }
        #expect(error?.code == .invalidInput)
        for word in words { #expect(error?.message.contains(word) == true, "\(error?.message ?? "")") }
      }
    }
    let missing = #expect(throws: SDKError.self) { try ChatTemplateSource.file("/no/such.jinja") }
    #expect(missing?.code == .invalidInput && missing?.message.contains("/no/such.jinja") == true)
  }
}
