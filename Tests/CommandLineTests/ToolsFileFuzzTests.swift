import Foundation
import RunAnywhere
import TestSupport
import Testing

@testable import ra_run

/// Tools files and what comes out of tools' programs, damaged on purpose.
@Suite("Fuzzing of tools files")
struct ToolsFileFuzzTests {
  private static let texts = [
    #"[{"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {"city": {"type": "string", "enum": ["a", "b"]}}, "required": ["city"]}}, "command": ["a", "b"]}]"#,
    #"{"tools": [{"name": "f", "description": "d", "inputSchema": {"type": "object"}, "command": ["a"]}, {"name": "g"}]}"#,
    #"[{"name": "f", "input_schema": null, "command": null}]"#, #"{"function": {"name": "now", "parameters": {}}}"#,
  ]
  private static let keys = [
    "type", "function", "name", "description", "parameters", "inputSchema", "input_schema", "command", "tools",
    "properties", "required", "enum", "items", "$ref", "pattern", "",
  ]
  private static let values: [JSONValue] = [
    "function", "object", "f", ["a"], ["", "a"], [["a"]], [1], ["name": "f"], ["type": "object"], ["type": "string"],
    "a\nb", "naïve tool", ["$ref": "#"],
  ]

  @Test("A damaged tools file is refused on one line, or its tools can be checked")
  func damagedFiles() throws {
    let texts = TextMutator(Self.texts, words: Self.keys.map { "\"\($0)\"" } + ["{", "}", "[", "]", ",", ":", "null"])
    let values = JSONMutator(
      try Self.texts.map { try JSONValue(parsing: $0) }, keys: Self.keys, values: Self.values)
    var outcomes: [String: Int] = [:]
    try FuzzRun("tools-file", iterations: 500).run { iteration in
      let bytes =
        iteration % 3 == 0
        ? texts.mutated(iteration: iteration, seed: 21)
        : Array(values.mutated(iteration: iteration, seed: 22).compact.utf8)
      FuzzRun.show(String(decoding: bytes, as: UTF8.self).debugDescription)
      do throws(Failure) {
        let file = try ToolsFile(parsing: bytes, name: "tools.json")
        for tool in file.tools {
          let definition = ToolDefinition(
            name: tool.definition.name, description: tool.definition.description, schema: tool.definition.argumentSchema
          )
          outcomes[definition.issues().isEmpty ? "sound" : "unsound", default: 0] += 1
        }
      } catch {
        outcomes["refused", default: 0] += 1
        // The line that a user sees has no breaks in it whatever the file says.
        if "\(error)".isEmpty { outcomes["silent", default: 0] += 1 }
      }
    }
    #expect(Set(outcomes.keys) == ["sound", "unsound", "refused"], "\(outcomes)")
    if outcomes.values.reduce(0, +) > 2000 { print("fuzzing tools-file: \(outcomes)") }
  }

  @Test("Whatever a tool's program prints is a result")
  func damagedOutputs() throws {
    let mutator = TextMutator(
      [#"{"temperature": 21.5, "list": [1, null, "é"]}"#, "plain text\n", "42", "\"x\"", "[1, 2]", ""],
      words: ["{", "}", "[", "]", "\"", ":", ",", "NaN", "\\u0000", "\\ud800"])
    try FuzzRun("tool-output", iterations: 500).run { iteration in
      let text = mutator.mutatedText(iteration: iteration, seed: 23)
      let result = ExternalTool.result(text)
      guard (try? ToolValue(json: ToolValue.object(result).jsonText)) != nil else {
        throw FuzzFault("\(text.debugDescription) becomes \(result)")
      }
    }
  }
}
