// What Scripts/fuzz-coverage runs: one function an input, chosen by RA_FUZZ_TARGET. A trap or a report is a finding.
import ChatTemplate
import Foundation
import Grammar
import JSON
import Sampling
import Tools

private let target = ProcessInfo.processInfo.environment["RA_FUZZ_TARGET"] ?? "json"

private let context: JSONObject = [
  "messages": [
    ["role": "system", "content": "Be brief."], ["role": "user", "content": "Hi <|im_end|> 🌧️"],
    ["role": "assistant", "content": "", "tool_calls": [["function": ["name": "f", "arguments": ["a": [1, 2.5]]]]]],
  ],
  "tools": [["type": "function", "function": ["name": "f", "parameters": ["type": "object"]]]],
  "add_generation_prompt": true, "bos_token": "<s>", "x": "<a>", "l": [3, 1, 2],
]

private let vocabulary = Vocabulary(tokens: (0...255).map { [UInt8($0)] } + [nil], controls: [:], endTokens: [256])

/// Follows a grammar for some bytes, always the first that may come, then to its end.
private func walk(_ grammar: Grammar) {
  var matcher = Matcher(grammar, vocabulary: vocabulary)
  for step in 0..<12 {
    let mask = matcher.mask()
    guard let token = (0..<256).lazy.map({ ($0 + step * 37) % 256 }).first(where: { mask.contains($0) }) else { break }
    guard matcher.accept(token: token) else { fatalError("a token of the mask is refused") }
  }
  guard let rest = matcher.shortestCompletion() else { return }
  guard rest.isEmpty || matcher.accept(bytes: rest), matcher.isComplete else { fatalError("a completion is refused") }
}

private func run(_ bytes: [UInt8]) {
  switch target {
  case "template":
    _ = try? ChatTemplate(source: String(decoding: bytes, as: UTF8.self)).render(context)
  case "schema":
    guard let schema = try? JSONValue(parsing: bytes), let grammar = try? Grammar.schema(schema) else { return }
    walk(grammar)
  case "pattern":
    guard let grammar = try? Grammar.regex(String(decoding: bytes, as: UTF8.self)) else { return }
    walk(grammar)
  case "calls":
    for format in ToolCallFormat.allCases {
      var parser = AnswerParser(format: format.rules, toolNames: ["f"], acceptsUnknownNames: bytes.count % 2 == 0)
      for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { _ = parser.feed(String(scalar)) }
      _ = parser.finish()
    }
  default:
    guard let value = try? JSONValue(parsing: bytes) else { return }
    guard (try? JSONValue(parsing: value.compact)) == value else { fatalError("\(value) doesn't come back") }
  }
}

/// libFuzzer's entry: `start` points to `count` bytes that stay valid for this call.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
