import Arguments
import Foundation
import RunAnywhere
import TestSupport
import Testing

@testable import ra_run

/// The program from outside: what it prints where, and how it ends.
@Suite("ra-run")
struct ProgramTests {
  /// Runs `body` with the path of a small vocabulary with random weights.
  func withModel(_ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tiny-\(UUID().uuidString).gguf")
    try Data(try TinyModel().bytes()).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  @Test("Wrong usage is one line on standard error and status 2")
  func usage() throws {
    let cases: [([String], String)] = [
      (["frobnicate"], "ra-run: unknown command 'frobnicate' (see ra-run help)\n"),
      (["lst"], "ra-run: unknown command 'lst'; did you mean list? (see ra-run help)\n"),
      (["show", "--jsn"], "ra-run: show: unknown option --jsn; did you mean --json? (see ra-run help show)\n"),
      (["list", "x"], "ra-run: list: unexpected argument 'x' (see ra-run help list)\n"),
      (["tokenize", "--decode", "x"], "ra-run: tokenize: 'x' is no token id (see ra-run help tokenize)\n"),
    ]
    try withModel { model in
      for (words, complaint) in cases {
        let run = try RanProgram.run(words + (words[0] == "tokenize" ? ["-m", model] : []))
        #expect(run.status == 2 && run.output.isEmpty && run.complaint == complaint, "\(words): \(run)")
      }
    }
    let bare = try RanProgram.run([])
    #expect(bare.status == 2 && bare.output.isEmpty && bare.complaint == Program.overview + "\n")
  }

  @Test("Help goes to standard output", arguments: [["help"], ["--help"], ["-h"]])
  func help(words: [String]) throws {
    let run = try RanProgram.run(words)
    #expect(run.status == 0 && run.complaint.isEmpty && run.output == Program.overview + "\n")
  }

  @Test("Every command has help, reached in three ways")
  func commandHelp() throws {
    for command in Program.commands.map(\.command) {
      let expected = command.help(program: "ra-run") + "\n"
      for words in [["help", command.name], [command.name, "--help"], [command.name, "x", "-h"]] {
        let run = try RanProgram.run(words)
        #expect(run.status == 0 && run.complaint.isEmpty && run.output == expected, "\(words)")
      }
    }
  }

  @Test("Version", arguments: [["version"], ["--version"], ["-v"]])
  func version(words: [String]) throws {
    #expect(try RanProgram.run(words).output == "ra-run \(VersionCommand.version)\n")
  }

  @Test("A missing or broken file is one line and status 1")
  func brokenFiles() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "broken-\(UUID().uuidString).gguf")
    defer { try? FileManager.default.removeItem(at: file) }
    for content in ["", "GGUF", "<html>\n\u{1B}[31mnot found", "GGUF\u{3}\0\0\0\u{FF}\u{FF}"] {
      try Data(content.utf8).write(to: file)
      for command in ["show", "tokenize"] {
        let run = try RanProgram.run([command, "-m", file.path])
        #expect(run.status == 1 && run.output.isEmpty && run.complaint.split(separator: "\n").count == 1, "\(run)")
        #expect(!run.complaint.contains("\u{1B}"))
      }
    }
    for path in ["/no/such/file.gguf", "/", "/dev/zero", "no-such-model"] {
      let run = try RanProgram.run(["show", path], environment: ["RUNANYWHERE_MODELS": "/nowhere"])
      #expect(run.status == 1 && run.output.isEmpty && run.complaint.split(separator: "\n").count == 1, "\(run)")
    }
  }

  @Test("show prints a summary, or one JSON document")
  func show() throws {
    try withModel { model in
      let run = try RanProgram.run(["show", model])
      #expect(run.status == 0 && run.complaint.isEmpty)
      #expect(run.output.hasPrefix("file           \(model)\nformat         GGUF v3, "))
      let document = try JSONValue(parsing: try RanProgram.run(["show", "--json", "-m", model]).output)
      #expect(document["architecture"] == "llama" && document["obstacle"] == .null)
      #expect((document["tensors"]?.arrayValue?.count ?? 0) > 10)
    }
  }

  @Test("tokenize there and back, in every form")
  func tokenize() throws {
    try withModel { model in
      let text = "hello wörld 🦙\n"
      let document = try JSONValue(
        parsing: try RanProgram.run(["tokenize", "-m", model, "--json"], input: text).output)
      let ids = (document["ids"]?.arrayValue ?? []).compactMap(\.integerValue)
      #expect(!ids.isEmpty)
      let line = ids.map(String.init).joined(separator: " ")
      #expect(try RanProgram.run(["tokenize", "-m", model, "--ids"], input: text).output == line + "\n")
      #expect(try RanProgram.run(["tokenize", "-m", model, "--count"], input: text).output == "\(ids.count)\n")
      #expect(try RanProgram.run(["tokenize", "-m", model, "--decode", line]).output == text + "\n")
      #expect(try RanProgram.run(["tokenize", "-m", model, "--ids", "hello", "w"]).status == 0)
    }
  }

  @Test("Files that can't be used are told before a model is loaded")
  func unusableFiles() throws {
    let nowhere = try RanProgram.run(["chat", "-m", "/no/such/model", "--session", "/no/such/folder/talk.ra"])
    #expect(nowhere.status == 1 && nowhere.complaint.contains("there is no folder /no/such/folder"), "\(nowhere)")
    let folder = try RanProgram.run(["run", "-m", "/no/such/model", "--file", "/tmp"])
    #expect(folder.status == 1 && folder.complaint.contains("/tmp: can't be read (it is a folder)"), "\(folder)")
  }

  @Test("A closed pipe ends the program without a word")
  func closedPipe() throws {
    try withModel { model in
      let line = "\"$ra_run\" show --metadata --tensors --json -m '\(model)' | true; echo ${PIPESTATUS[0]}"
      for _ in 0..<5 {
        let run = try RanProgram.shell(line)
        #expect(run.output == "0\n" && run.complaint.isEmpty, "\(run)")
      }
    }
  }

  @Test("list names what is there, or says what to do")
  func list() throws {
    let empty = try RanProgram.run(["list"], environment: ["RUNANYWHERE_MODELS": "/nowhere"])
    #expect(empty.status == 0 && empty.output.isEmpty)
    #expect(empty.complaint == "no models in /nowhere yet; ra-run pull fetches the default one\n")
    let document = try RanProgram.run(["list", "--json"], environment: ["RUNANYWHERE_MODELS": "/nowhere"]).output
    #expect(document == #"{"folder":"/nowhere","models":[]}"# + "\n")
  }

  @Test("pull without Python, and of a model that it doesn't know, says what to do")
  func pull() throws {
    let environment = ["RUNANYWHERE_MODELS": "/tmp/ra-no-models", "RUNANYWHERE_PYTHON": "/nowhere/python3"]
    let run = try RanProgram.run(["pull", "--quiet"], environment: environment)
    #expect(run.status == 1 && run.complaint.contains("there is no /nowhere/python3 here: install it"))
    let other = try RanProgram.run(["pull", "llama-3"], environment: environment)
    #expect(other.status == 1 && other.complaint.contains("knows only smollm2-135m-instruct"))
  }
}
