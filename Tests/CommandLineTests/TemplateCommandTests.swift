import Foundation
import RunAnywhere
import TestSupport
import Testing

@testable import ra_run

@Suite("ra-run template")
struct TemplateCommandTests {
  /// A folder with a conversation, tools, a template, and a small model.
  private func withFiles(_ body: (_ file: (String) -> String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "template-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var tiny = TinyModel()
    tiny.chatTemplate = TinyModel.chatML
    tiny.namedTemplates["short"] = "{% for m in messages %}{{ m.content }};{% endfor %}"
    for (name, text) in [
      ("chat.json", #"[{"role": "system", "content": "S"}, {"role": "user", "content": "a<|im_end|>"}]"#),
      (
        "long.json",
        #"""
        {"messages": [{"role": "user", "content": "Q"},
          {"role": "assistant", "content": null, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1}"}}]},
          {"role": "tool", "tool_call_id": "1", "content": "2"}, {"role": "assistant", "content": "A"}],
         "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]}
        """#
      ),
      ("tools.json", #"[{"type": "function", "function": {"name": "f", "description": "d"}}]"#),
      ("date.jinja", "{{ strftime_now('%d %b %Y') }} {{ mood }}: {{ messages[-1].content }}"),
    ] {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    try Data(try tiny.bytes()).write(to: folder.appending(path: "tiny.gguf"))
    try body { folder.appending(path: $0).path }
  }

  @Test("the exact prompt and its ids")
  func prompt() throws {
    try withFiles { file in
      let words = ["template", "--messages", file("chat.json"), "-m", file("tiny.gguf")]
      let text =
        "<|begin_of_text|><|im_start|>system\nS<|im_end|>\n<|im_start|>user\na<|im_end|><|im_end|>\n<|im_start|>assistant\n"
      let exact = try RanProgram.run(words + ["--text"])
      #expect(exact.status == 0 && exact.output == text)
      #expect(exact.complaint == "chat template: the model's own\n")
      let ids = try RanProgram.run(words + ["--ids"]).output
      #expect(try RanProgram.run(words).output == text + "\nids: \(ids)")
      let document = try JSONValue(parsing: try RanProgram.run(words + ["--json"]).output)
      #expect(document["prompt"]?.stringValue == text && document["call_format"] == "generic")
      let listed = document["ids"]?.arrayValue?.compactMap(\.integerValue) ?? []
      #expect(listed.map(String.init).joined(separator: " ") + "\n" == ids)
      // What the user wrote is text: three turns begin and two end.
      let spelled = try RanProgram.run(["tokenize", "-m", file("tiny.gguf"), "--special", "--ids", "<|im_end|>"]).output
      let end = Int(spelled.dropLast())
      #expect(listed.count { $0 == end } == 2)
      let pieces = document["pieces"]?.arrayValue ?? []
      #expect(pieces.contains(["from": "conversation", "text": "a<|im_end|>"]))
      #expect(pieces.compactMap { $0["text"]?.stringValue }.joined() == text)
      #expect(pieces.first?["from"] == "template")
    }
  }

  @Test("a template alone, the clock, variables, standard input")
  func alone() throws {
    try withFiles { file in
      let words = ["template", "--template", file("date.jinja"), "--date", "2026-04-03", "--messages"]
      let run = try RanProgram.run(words + ["-", "--var", "mood=\"glad\""], input: #"[{"role":"user","content":"é"}]"#)
      #expect(run.status == 0 && run.output == "03 Apr 2026 glad: é\n", "\(run)")
      let raw = try RanProgram.run(words + [file("chat.json"), "--raw", "--text"])
      #expect(raw.output == "03 Apr 2026 : a<|im_end|>", "\(raw)")
      let ids = try RanProgram.run(words + [file("chat.json"), "--ids"])
      #expect(ids.status == 2 && ids.complaint.hasSuffix("template: --ids needs a model (see ra-run help template)\n"))
    }
  }

  @Test("one of the model's templates by its name; tools and the sentence that goes with them")
  func toolsAndNames() throws {
    try withFiles { file in
      let words = ["template", "--messages", file("chat.json"), "-m", file("tiny.gguf"), "--text"]
      let short = try RanProgram.run(words + ["--template", "short"])
      #expect(short.output == "<|begin_of_text|>S;a<|im_end|>;", "\(short)")
      #expect(short.complaint == "chat template: the model's template 'short'\n")
      let auto = try RanProgram.run(words + ["--tools", file("tools.json")]).output
      #expect(auto.contains(#"{"name": "f", "description": "d""#) && auto.contains("answer in plain words"))
      let required = try RanProgram.run(words + ["--tools", file("tools.json"), "--tool-choice", "required"]).output
      #expect(required.contains("<tools>") && !required.contains("answer in plain words"))
      let own = try RanProgram.run(words + ["--tools", file("tools.json"), "--guidance", "Be sure."]).output
      #expect(own.contains("Be sure.") && !own.contains("answer in plain words"))
      #expect(
        try RanProgram.run(words + ["--tools", file("tools.json"), "--tool-choice", "none"]).output
          == (try RanProgram.run(words).output))
    }
  }

  @Test("--compare says, answer by answer, what stays")
  func compare() throws {
    try withFiles { file in
      let words = ["template", "--messages", file("long.json"), "-m", file("tiny.gguf"), "--compare"]
      let run = try RanProgram.run(words)
      let lines = run.output.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].hasPrefix("3 messages: keeps all "), "\(run)")
      #expect(lines[1].hasPrefix("4 messages: keeps all "), "\(run)")
      let document = try JSONValue(parsing: try RanProgram.run(words + ["--json"]).output)
      #expect(document["steps"]?.arrayValue?.first?["before"] == document["steps"]?.arrayValue?.first?["shared"])
    }
  }

  @Test("faults are one line that names what and where")
  func faults() throws {
    try withFiles { file in
      let model = file("tiny.gguf")
      for (words, status, complaint) in [
        ([], 2, "template: --messages FILE is missing"),
        (["--messages", "/no/such.json"], 1, "/no/such.json: can't be read"),
        (["--messages", file("date.jinja"), "-m", model], 1, "date.jinja: not JSON: "),
        (["--messages", file("tools.json"), "-m", model], 1, "tools.json: message 1: \"role\" is missing"),
        (["--messages", file("chat.json"), "--date", "tomorrow"], 2, "--date wants YYYY-MM-DD"),
        (["--messages", file("chat.json"), "-m", model, "--template", "nosuch"], 2, "no chat template 'nosuch'"),
        (["--messages", file("chat.json"), "-m", model, "--template", "/no.jinja"], 2, "/no.jinja can't be read"),
        (["--messages", file("chat.json"), "--var", "x"], 2, "--var wants NAME=VALUE, not 'x'"),
        (["--messages", file("chat.json"), "--ids", "--text"], 2, "--ids and --text exclude each other"),
      ] as [([String], Int32, String)] {
        let run = try RanProgram.run(["template"] + words)
        let last = run.complaint.split(separator: "\n").last.map(String.init) ?? ""
        #expect(run.status == status && run.output.isEmpty && last.contains(complaint), "\(words): \(run)")
      }
    }
  }

  @Test("--chat-template of the other commands is checked when the model is loaded")
  func override() throws {
    try withFiles { file in
      let words = ["run", "-m", file("tiny.gguf"), "-n", "1", "--temp", "0", "Hi"]
      let wrong = try RanProgram.run(words + ["--chat-template", "nosuch"])
      #expect(wrong.status == 2 && wrong.complaint.contains("its templates are: default, short"))
      let given = try RanProgram.run(words + ["--chat-template", file("date.jinja")])
      #expect(given.status == 0 && given.complaint.contains("date.jinja, in place of the model's own"), "\(given)")
      #expect(try RanProgram.run(words).complaint.contains("chat template") == false)
    }
  }
}
