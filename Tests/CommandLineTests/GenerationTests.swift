import Foundation
import RunAnywhere
import TestSupport
import Testing

@testable import ra_run

/// The commands that generate, on a tiny model with random weights: what it says is noise, how it is said is not.
@Suite("ra-run generating")
struct GenerationTests {
  func withModel(_ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tiny-\(UUID().uuidString).gguf")
    var model = TinyModel()
    model.contextLength = 2048
    model.chatTemplate = TinyModel.chatML
    try Data(try model.bytes()).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  @Test("generate is repeatable, counts its tokens, and prints one document with --json")
  func generate() throws {
    try withModel { model in
      let words = ["generate", "-m", model, "--prompt", "hello", "-n", "8", "--temp", "0"]
      let (first, second) = (try RanProgram.run(words), try RanProgram.run(words))
      #expect(first.status == 0 && first.output == second.output && first.complaint.isEmpty, "\(first)")
      let document = try JSONValue(parsing: try RanProgram.run(words + ["--json"]).output)
      let text = try #require(document["text"]?.stringValue)
      #expect(text + "\n" == first.output)
      let generated = try #require(document["usage"]?["generated_tokens"]?.integerValue)
      #expect((0...8).contains(generated))
      #expect(try RanProgram.run(words + ["--verbose"]).complaint.contains("tokens/s"))
    }
  }

  @Test("run takes the prompt from operands, an option, a file or standard input")
  func prompts() throws {
    try withModel { model in
      let file = FileManager.default.temporaryDirectory.appending(path: "prompt-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data("hello world".utf8).write(to: file)
      let words = ["run", "-m", model, "-n", "6", "--temp", "0"]
      let expected = try RanProgram.run(words + ["hello", "world"])
      #expect(expected.status == 0, "\(expected)")
      for (more, input) in [
        (["--prompt", "hello world"], ""), (["-f", file.path], ""), ([], "hello world"), (["-"], "hello world"),
      ] {
        #expect(try RanProgram.run(words + more, input: input).output == expected.output, "\(more)")
      }
      let both = try RanProgram.run(words + ["--prompt", "a", "b"])
      #expect(both.status == 2 && both.complaint.contains("exclude each other"))
    }
  }

  @Test("chat answers line by line and can be told to forget")
  func chat() throws {
    try withModel { model in
      let words = ["chat", "-m", model, "-n", "4", "--temp", "0"]
      let run = try RanProgram.run(words, input: "hello\n\n/clear\nhello\n/bye\nnever read\n")
      #expect(run.status == 0, "\(run)")
      #expect(run.complaint.contains("forgotten"))
      let once = try RanProgram.run(words, input: "hello\n")
      #expect(run.output == once.output + once.output)
    }
  }

  @Test("Wrong values are status 2, a prompt that is too long is status 1 with both numbers")
  func faults() throws {
    try withModel { model in
      for words in [
        ["-t", "0"], ["-t", "-1"], ["-t", "abc"], ["-n", "0"], ["--temp", "-1"], ["--top-p", "2"], ["--seed", "x"],
        ["--stop", ""], ["-c", "0"], ["--json-schema", "{"], ["--cache-type", "q4"], ["--drafts", "-1"],
      ] {
        let run = try RanProgram.run(["run", "-m", model] + words + ["hi"])
        #expect(run.status == 2 && run.output.isEmpty, "\(words): \(run)")
      }
      #expect(try RanProgram.run(["run", "-m", model, ""]).status == 2)
      let long = try RanProgram.run(
        ["run", "-m", model, "-c", "64"], input: String(repeating: "a b c d ", count: 100))
      #expect(long.status == 1 && long.complaint.contains("64"), "\(long)")
    }
  }

  @Test("A schema is given as text, or as a file with or without an @")
  func schemas() throws {
    try withModel { model in
      let file = FileManager.default.temporaryDirectory.appending(path: "schema-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      let schema = #"{"enum": ["red", "green"]}"#
      try Data(schema.utf8).write(to: file)
      let runs = try [schema, file.path, "@\(file.path)"].map {
        try RanProgram.run(["run", "-m", model, "--temp", "0", "--json-schema", $0, "hi"])
      }
      #expect(runs.allSatisfy { $0.status == 0 && $0.output == runs[0].output }, "\(runs)")
      #expect(["\"red\"\n", "\"green\"\n"].contains(runs[0].output), "\(runs[0])")
      let absent = try RanProgram.run(["run", "-m", model, "--json-schema", "nowhere.json", "hi"])
      #expect(absent.status == 1 && absent.complaint.contains("nowhere.json"), "\(absent)")
    }
  }

  @Test("tools runs a command, or prints the call when there is none")
  func tools() throws {
    try withModel { model in
      let folder = FileManager.default.temporaryDirectory.appending(path: "tools-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appending(path: "tools.json")
      let words = ["tools", "-m", model, "--tools", file.path, "--tool-choice", "required", "-n", "64", "hello"]

      try Data(#"[{"name": "now", "command": ["sh", "-c", "cat >/dev/null; echo 42"]}]"#.utf8).write(to: file)
      let run = try RanProgram.run(words)
      #expect(run.status == 0 && run.complaint.hasPrefix("→ now()\n← {\"result\":42}\n"), "\(run)")
      let document = try JSONValue(parsing: try RanProgram.run(words + ["--json"]).output)
      #expect(document["tool_calls"]?[0]?["name"] == "now")
      #expect(document["tool_results"]?[0]?["result"] == ["result": 42])

      try Data(#"[{"name": "now"}]"#.utf8).write(to: file)
      #expect(try RanProgram.run(words).output == "now()\n")
      let unknown = try RanProgram.run(words + ["--tool-choice", "other"])
      #expect(unknown.status == 2 && unknown.output.isEmpty, "\(unknown)")
      #expect(try RanProgram.run(["tools", "-m", model, "hello"]).status == 2)
    }
  }

  @Test("chat calls tools, and says which")
  func chatWithTools() throws {
    try withModel { model in
      let file = FileManager.default.temporaryDirectory.appending(path: "tools-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(#"[{"name": "now", "description": "the time", "command": ["sh", "-c", "echo 42"]}]"#.utf8).write(
        to: file)
      let words = ["chat", "-m", model, "--tools", file.path, "--tool-choice", "required", "-n", "64", "--temp", "0"]
      let run = try RanProgram.run(words, input: "hello\n/tools\n/exit\n")
      #expect(run.status == 0 && run.complaint.hasPrefix("→ now()\n← {\"result\":42}\n"), "\(run)")
      #expect(run.complaint.contains("now: the time"))
      let asking = try RanProgram.shell(
        "setsid -w \"$ra_run\" tools -m '\(model)' --tools '\(file.path)' --ask hi </dev/null")
      #expect(asking.complaint.contains("--ask needs a terminal"), "\(asking)")
      #expect(try RanProgram.run(["run", "-m", model, "--ask", "hi"]).status == 2)
      try Data(#"[{"name": "now"}]"#.utf8).write(to: file)
      let bare = try RanProgram.run(words, input: "hello\n")
      #expect(bare.status == 1 && bare.complaint.contains("now has no command"), "\(bare)")
    }
  }

  @Test("a session goes on in the next run, and is saved and loaded by commands")
  func sessions() throws {
    try withModel { model in
      let file = FileManager.default.temporaryDirectory.appending(path: "talk-\(UUID().uuidString).ra")
      defer { try? FileManager.default.removeItem(at: file) }
      let words = ["-m", model, "-n", "8", "--temp", "0"]
      let session = ["--session", file.path]
      let first = try RanProgram.run(["run"] + words + session + ["hello there my friend"])
      #expect(first.status == 0 && !first.complaint.contains("ra-run:"), "\(first)")
      let second = try RanProgram.run(["run"] + words + session + ["--json", "again"])
      let cached = try JSONValue(parsing: second.output)["usage"]?["cached_tokens"]?.integerValue ?? 0
      #expect(cached > 5, "\(second)")
      let chat = ["chat"] + words
      let unbroken = try RanProgram.run(chat, input: "one\n/save \(file.path)\ntwo\n")
      let resumed = try RanProgram.run(chat, input: "other\n/clear\n/load \(file.path)\ntwo\n")
      #expect(resumed.complaint.contains("going on after 2 messages"), "\(resumed)")
      let last = { (run: RanProgram) in run.output.split(separator: "\n").last }
      #expect(unbroken.status == 0 && resumed.status == 0 && last(unbroken) == last(resumed))
      try Data("RASESS".utf8).write(to: file)
      let damaged = try RanProgram.run(["run"] + words + session + ["hi"])
      #expect(damaged.status == 1 && damaged.complaint.split(separator: "\n").count == 1, "\(damaged)")
    }
  }

  @Test("Ctrl-C ends a generation with status 130", .timeLimit(.minutes(10)))
  func interrupt() throws {
    try withModel { model in
      // SIGINT is ignored in processes that a shell puts into the background; SIGTERM takes the same way.
      let line = "\"$ra_run\" chat -m '\(model)' < <(echo hello; sleep 5) & sleep 0.5; kill -TERM $!; wait $!; echo $?"
      let run = try RanProgram.shell(line)
      let status = Int(run.output.split(separator: "\n").last ?? "") ?? -1
      #expect([0, 130, 143].contains(status), "\(run)")
    }
  }
}
