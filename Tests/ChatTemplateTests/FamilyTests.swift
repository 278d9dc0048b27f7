import ChatTemplate
import Foundation
import JSON
import TestSupport
import Testing

/// What the probes make of the templates in the field.
@Suite(.enabled(if: SharedData.isPresent, "needs the templates in ../shared"))
struct FamilyTests {
  private func prompts() throws -> [String: ChatPrompt] {
    let folder = SharedData.url("data/templates/jinja")
    var result: [String: ChatPrompt] = [:]
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let source = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      result[file.deletingPathExtension().lastPathComponent] = try ChatPrompt(source: source, bosToken: "<s>")
    }
    return result
  }

  @Test func everyTemplateHasAFamily() throws {
    let expected: [CallHint.Family: [String]] = [
      .llama: ["meta-llama-Llama-3.1-8B-Instruct", "meta-llama-Llama-3.2-3B-Instruct"],
      .mistralArray: ["mistralai-Mistral-Nemo-Instruct-2407"],
      .functionTag: ["meetkai-functionary-medium-v3.1"],
    ]
    let prompts = try prompts()
    for (family, names) in expected {
      #expect(prompts.filter { $0.value.supportsTools && $0.value.callHint.family == family }.keys.sorted() == names)
    }
    let hermes = prompts.filter { $0.value.supportsTools && $0.value.callHint.family == .hermes }.keys.sorted()
    for name in ["Qwen-Qwen2.5-7B-Instruct", "Qwen-Qwen3-0.6B", "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use"] {
      #expect(hermes.contains(name))
    }
    // Its vocabulary or its marks tell how the model writes calls, which its template doesn't show.
    let marks: Set = ["<|tool_call_start|>", "<|tool_call_end|>"]
    for name in ["LFM2-8B-A1B", "LFM2.5-8B-A1B", "LFM2.5-Instruct"] {
      let source = String(decoding: try SharedData.bytes("data/templates/jinja/\(name).jinja"), as: UTF8.self)
      let prompt = try ChatPrompt(source: source, controlTokens: marks)
      #expect(prompt.supportsTools && prompt.callHint.family == .pythonic, "\(name)")
    }
    // `<tool_call>` around something else than JSON, or a list of objects behind a mark of its own.
    for name in ["GLM-4.6", "GLM-4.7-Flash", "Qwen3-Coder", "Apriel-1.6-15b-Thinker-fixed", "unsloth-Apriel-1.5"] {
      #expect(prompts[name]?.callHint.family == .other, "\(name)")
    }
  }

  @Test func firefunctionGetsItsFunctions() throws {
    let prompt = try #require(prompts()["fireworks-ai-llama-3-firefunction-v2"])
    guard case .given = prompt.origin else {
      Issue.record("the template isn't used: \(prompt.origin)")
      return
    }
    for line in try SharedData.lines("data/templates/golden.jsonl") where line.contains("firefunction") {
      let row = try JSONValue(parsing: line)
      guard row["case"] == "ff_tools_user", let expected = row["output"]?.stringValue,
        let text = row["vars"]?["functions"]?.stringValue, let tools = try JSONValue(parsing: text).arrayValue
      else { continue }
      var named = prompt
      named.tokenVariables["bos_token"] = row["vars"]?["bos_token"]
      let clock = TemplateClock(year: 2025, month: 3, day: 9, hour: 14, minute: 5, second: 7)
      let segments = try named.segments(
        messages: [.user("What is the weather in Paris?")], tools: tools, requiresCall: true, clock: clock)
      #expect(segments.text == expected)
    }
  }
}
