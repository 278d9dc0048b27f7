import Foundation
import GGUF
import RunAnywhere
import TestSupport
import Testing

@testable import ra_run

/// Model files that can't be used, as a user meets them: the program ends by itself, with one line.
@Suite("ra-run and hostile model files")
struct HostileModelTests {
  /// Runs `ra-run` with a model and checks that it refuses: status 1, nothing on standard output, one printable line.
  private func expectRefusal(_ words: [String], _ name: String) throws -> String {
    let clock = ContinuousClock()
    let start = clock.now
    let run = try RanProgram.run(words)
    #expect(clock.now - start < Slowness.hang, "\(name)")
    #expect(run.status == 1 && run.output.isEmpty, "\(name): \(run)")
    #expect(run.complaint.hasPrefix("ra-run: ") && run.complaint.split(separator: "\n").count == 1, "\(name): \(run)")
    #expect(!run.complaint.dropLast().unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(name)")
    return run.complaint
  }

  /// Writes a model that `change` has damaged, and hands its path to `body`.
  private func withModel(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString).gguf")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  @Test(
    "every bad file of the shared cases ends run and show with one line (cases 1, 3, 4, 5, 7 and 9)",
    .enabled(if: GGUFCases.areAvailable, "needs ../shared/cases/gguf_cases.py and /usr/bin/python3"))
  func sharedFiles() throws {
    let cases = try GGUFCases()
    defer { cases.remove() }
    let bad = cases.names.filter { $0.hasPrefix("bad-") && !$0.hasPrefix("bad-28") }
    #expect(bad.count >= 20)
    for name in bad {
      let shown = try expectRefusal(["show", cases.path(name)], name)
      let ran = try expectRefusal(["run", "-m", cases.path(name), "-n", "4", "hello"], name)
      #expect(shown == ran, "\(name)")
    }
    // What a process refused doesn't hinder the next file in it; the engine's tests do that in one process.
    #expect(try RanProgram.run(["show", cases.path("base")]).status == 0)
  }

  @Test("sizes that wrap, huge counts, odd alignments and types end run with one line (cases 1, 3, 4 and 5)")
  func everyKind() throws {
    let valid = try TinyModel().bytes()
    let header = GGUFFields(valid)
    let hostile: [(GGUFFields.Kind, [UInt64])] = [
      (.dimension, [0, 1 << 62, 1 << 63, .max, (1 << 42) + 1]), (.tensorCount, [1 << 60, .max]),
      (.keyCount, [1 << 63, .max]), (.nameLength, [0, 1 << 62]), (.itemCount, [1 << 60, 1 << 61]),
      (.tensorType, [4, 999, 0xFFFF_FFFF]), (.dimensionCount, [0, 5, 255]), (.version, [0, 1, 99]),
      (.tensorOffset, [1, .max, 1 << 63]), (.stringLength, [1 << 62]), (.elementType, [77]),
    ]
    for (kind, values) in hostile {
      guard let field = header.fields.first(where: { $0.kind == kind }) else { continue }
      for value in values {
        var bytes = valid
        header.set(field, to: value, in: &bytes)
        try withModel(bytes) { path in
          _ = try expectRefusal(["run", "-m", path, "-n", "4", "hello"], "\(kind) \(value)")
        }
      }
    }
  }

  @Test("weights that aren't numbers end with an error, greedy, at random, and under a grammar (case 21)")
  func notANumber() throws {
    var tiny = TinyModel()
    tiny.chatTemplate = TinyModel.chatML
    tiny.contextLength = 2048
    let tools = FileManager.default.temporaryDirectory.appending(path: "tools-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: tools) }
    try Data(#"[{"name": "now"}, {"name": "then"}]"#.utf8).write(to: tools)
    let file = try tiny.file()
    for value in [Float.nan, .infinity] {
      for name in ["output_norm.weight", "blk.1.ffn_norm.weight", "token_embd.weight"] {
        let info = try #require(file.tensors.first { $0.name == name })
        var bytes = try tiny.bytes()
        // In the embedding, which is the head as well, one weight spoils one logit only: all of its rows are hit.
        let places =
          name == "token_embd.weight" ? stride(from: 0, to: info.byteCount, by: 256) : stride(from: 0, to: 4, by: 4)
        for place in places {
          for (index, byte) in withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init).enumerated() {
            bytes[info.offset + place + index] = byte
          }
        }
        try withModel(bytes) { path in
          let words = ["-m", path, "-n", "30"]
          for (command, more) in [
            ("run", ["--temp", "0", "hello"]), ("run", ["--temp", "0.8", "--seed", "1", "hello"]),
            ("generate", ["--temp", "0", "--prompt", "hello"]),
            ("run", ["--temp", "0", "--json-schema", #"{"type":"string"}"#, "hello"]),
            ("tools", ["--tools", tools.path, "--tool-choice", "required", "hello"]),
          ] {
            let line = try expectRefusal([command] + words + more, "\(name) \(value) \(command)")
            #expect(line.contains("finite"), "\(line)")
          }
        }
      }
    }
  }

  @Test("a template that attacks isn't used, and completion goes on (case 28)")
  func hostileTemplates() throws {
    for template in [
      "{% for a in range(25000) %}{% for b in range(25000) %}x{% endfor %}{% endfor %}",
      "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "{{ " + String(repeating: "(", count: 20_000) + " }}",
      "{{ 'x' * 10000000000 }}", "{% include '/etc/passwd' %}", "{% if", "{{ messages[0].__class__() }}",
    ] {
      var tiny = TinyModel()
      tiny.chatTemplate = template
      try withModel(try tiny.bytes()) { path in
        // Refused, or answered in a form that the vocabulary stands for; the user is told either way.
        let start = ContinuousClock.now
        let run = try RanProgram.run(["run", "-m", path, "-n", "4", "hello"])
        #expect(ContinuousClock.now - start < Slowness.hang)
        #expect((0...1).contains(run.status) && run.complaint.contains("template"), "\(run.complaint.prefix(300))")
        let raw = try RanProgram.run(["generate", "-m", path, "-n", "4", "--temp", "0", "--prompt", "hello"])
        #expect(raw.status == 0, "\(raw)")
      }
    }
  }

  @Test("prompts that are no UTF-8 give the same answer every time (case 15)")
  func invalidPrompts() throws {
    var tiny = TinyModel()
    tiny.chatTemplate = TinyModel.chatML
    let prompt = FileManager.default.temporaryDirectory.appending(path: "prompt-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: prompt) }
    try withModel(try tiny.bytes()) { path in
      for bytes: [UInt8] in [
        [0xE6, 0xAD], [0xFF], [0x61, 0x80, 0x62], [0xED, 0xA0, 0x80], [0x00], [0xF4, 0x90, 0x80, 0x80],
      ] {
        try Data(bytes).write(to: prompt)
        for command in ["run", "generate"] {
          let words = [command, "-m", path, "-f", prompt.path, "-n", "4", "--temp", "0"]
          let (first, second) = (try RanProgram.run(words), try RanProgram.run(words))
          #expect(first.status == 0 && first.output == second.output, "\(bytes): \(first)")
        }
      }
    }
  }

  @Test("a context for which there is no memory is refused with the numbers, before it is taken (case 24)")
  func hugeContext() throws {
    var tiny = TinyModel()
    tiny.contextLength = 16_777_216
    (tiny.heads, tiny.keyValueHeads, tiny.headWidth, tiny.blockCount) = (4, 4, 128, 8)
    tiny.chatTemplate = TinyModel.chatML
    try withModel(try tiny.bytes()) { path in
      let line = try expectRefusal(["run", "-m", path, "-c", "16777216", "-n", "4", "hello"], "context")
      #expect(line.contains("16777216 tokens takes 274877906944 bytes") && line.contains("ask for at most"), "\(line)")
      // Not asked for, the window costs nothing.
      let run = try RanProgram.run(["run", "-m", path, "-n", "4", "hello"])
      #expect(run.status == 0, "\(run)")
    }
  }

  @Test("threads: more than there are cores are taken, absurd numbers are refused (case 53)")
  func threads() throws {
    var tiny = TinyModel()
    tiny.chatTemplate = TinyModel.chatML
    try withModel(try tiny.bytes()) { path in
      let expected = try RanProgram.run(["run", "-m", path, "-n", "6", "--temp", "0", "-t", "1", "hello"]).output
      for count in ["2", "64"] {
        let run = try RanProgram.run(["run", "-m", path, "-n", "6", "--temp", "0", "-t", count, "hello"])
        #expect(run.status == 0 && run.output == expected, "\(count): \(run)")
      }
      for count in ["0", "-1", "abc", "1000000", "9223372036854775808", "1.5", ""] {
        let run = try RanProgram.run(["run", "-m", path, "-t", count, "hello"])
        #expect(run.status == 2 && run.complaint.split(separator: "\n").count == 1, "\(count): \(run)")
      }
    }
  }
}
