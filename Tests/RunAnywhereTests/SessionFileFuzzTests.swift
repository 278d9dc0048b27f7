import Foundation
import JSON
import TestSupport
import Testing
import Tools

@testable import RunAnywhere

/// Session files and message files that were damaged on purpose.
@Suite("Fuzzing of session and message files")
struct SessionFileFuzzTests {
  private static let messages: JSONValue = [
    ["role": "system", "content": "Be brief."], ["role": "user", "content": [["type": "text", "text": "Grüße 🌧️"]]],
    [
      "role": "assistant", "content": .null,
      "tool_calls": [
        ["id": "1", "type": "function", "function": ["name": "f", "arguments": "{\"a\": [1, \"x\"]}"]],
        ["name": "g", "arguments": ["b": .null]],
      ],
    ],
    ["role": "tool", "tool_call_id": "1", "name": "f", "content": "{\"r\": 1}"], ["role": "developer", "content": ""],
  ]
  private static let keys = [
    "role", "content", "tool_calls", "id", "type", "function", "name", "arguments", "tool_call_id", "text", "messages",
    "model", "fingerprint", "tools", "tokens", "cache_bytes",
  ]
  private static let values: [JSONValue] = [
    "user", "assistant", "tool", "system", "function", "{}", "{", "[1]", ["type": "text", "text": "x"], [1, 2, -1], "f",
    "<|im_end|>",
  ]

  /// A file around `header`: its own length and checksum, so that the header is read.
  private static func file(_ header: [UInt8], cache: Int) -> Data {
    var hash = SHA256()
    hash.update(header)
    let length = String(header.count)
    let digits = String(repeating: "0", count: 12 - length.utf8.count) + length
    return Data("RASESS0001\n\(digits)\n\(hash.finish())\n".utf8) + Data(header) + Data(count: cache)
  }

  @Test("A damaged session file is refused on one line, or says what a session says")
  func sessions() throws {
    let valid: JSONValue = [
      "model": "tiny", "fingerprint": "ab12", "tools": ["f"], "messages": Self.messages, "tokens": [1, 2, 3],
      "cache_bytes": 16,
    ]
    let headers = JSONMutator([valid], keys: Self.keys, values: Self.values)
    let whole = Self.file(Array(valid.compact.utf8), cache: 16)
    let bytes = TextMutator(
      [[UInt8](whole)], words: ["RASESS0001\n", "RASESS9999\n", "000000000000", "999999999999", "-00000000001", "\n"])
    var outcomes: [String: Int] = [:]
    try FuzzRun("session", iterations: 500).run { iteration in
      let data: Data
      if iteration % 3 == 0 {
        data = Data(bytes.mutated(iteration: iteration, seed: 31))
      } else {
        data = Self.file(Array(headers.mutated(iteration: iteration, seed: 32).compact.utf8), cache: 16)
      }
      FuzzRun.show(String(decoding: data, as: UTF8.self).debugDescription)
      do throws(SDKError) {
        let file = try SessionFile(data)
        try? file.withCache { if $0.count != file.header.cacheByteCount { throw FuzzFault("a cache of \($0.count)") } }
        outcomes["read", default: 0] += 1
      } catch {
        outcomes["refused", default: 0] += 1
        if error.message.isEmpty || error.code != .invalidSession { outcomes["odd", default: 0] += 1 }
      }
    }
    #expect(Set(outcomes.keys) == ["read", "refused"], "\(outcomes)")
    if outcomes.values.reduce(0, +) > 2000 { print("fuzzing session: \(outcomes)") }
  }

  @Test("Damaged messages are refused, or come back from their own text and can be rendered")
  func messageFiles() throws {
    let mutator = JSONMutator([Self.messages, ["messages": Self.messages]], keys: Self.keys, values: Self.values)
    let inspection = try PromptInspection(source: TinyModel.chatML, origin: "a test")
    var outcomes: [String: Int] = [:]
    try FuzzRun("messages", iterations: 500).run { iteration in
      let value = mutator.mutated(iteration: iteration, seed: 33)
      FuzzRun.show(value.compact)
      if let messages = try? [LLMMessage](importing: value) {
        let text = messages.openAIMessages.compact
        guard try [LLMMessage](importing: JSONValue(parsing: text)) == messages else {
          throw FuzzFault("\(value) doesn't come back from \(text)")
        }
        outcomes["read", default: 0] += 1
      } else {
        outcomes["refused", default: 0] += 1
      }
      for isRaw in [false, true] {
        var options = PromptInspection.Options()
        options.isRaw = isRaw
        let rendered = try? inspection.render(value, tools: [], options: options)
        outcomes[rendered == nil ? "unrendered" : "rendered", default: 0] += 1
      }
    }
    #expect(outcomes.count == 4, "\(outcomes)")
    if outcomes.values.reduce(0, +) > 8000 { print("fuzzing messages: \(outcomes)") }
  }
}
