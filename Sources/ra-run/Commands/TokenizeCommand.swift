import Arguments
import Foundation
import RunAnywhere

/// Text as tokens, and back.
struct TokenizeCommand: ProgramCommand {
  let command = Command(
    "tokenize", "shows the tokens of a text", operands: "[TEXT...]",
    options: [
      ModelOptions.model,
      Option("file", short: "f", value: "FILE", "read the text from a file, byte for byte"),
      Option("special", "take spellings such as <|im_start|> for control tokens"),
      Option("bos", "begin with the token that begins every prompt"),
      Option("ids", "print only the ids, on one line"),
      Option("count", "print only how many there are"),
      Option("decode", "the other way round: the text of the given ids"),
      Option("json", "print one JSON document"),
    ],
    discussion: """
      Without a text standard input is read. Bytes that are no UTF-8 become the tokens of those bytes.
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    let bytes = try text(arguments)
    let tokenizer = try TokenizerInspection(path: try ModelOptions.path(arguments))
    if arguments.flag("decode") {
      let text = tokenizer.text(of: try ids(String(decoding: bytes, as: UTF8.self)))
      let document: JSONValue = ["text": .string(text)]
      try Console.print(arguments.flag("json") ? document.compact : text)
      return Program.Status.done
    }
    let ids = tokenizer.ids(of: bytes, special: arguments.flag("special"), addsBOS: arguments.flag("bos"))
    try show(ids, tokenizer, arguments)
    return Program.Status.done
  }

  private func show(_ ids: [Int], _ tokenizer: TokenizerInspection, _ arguments: Arguments) throws {
    if arguments.flag("json") {
      let document: JSONValue = [
        "ids": .array(ids.map { .integer($0) }), "tokens": .array(ids.map { .string(tokenizer.text(of: $0)) }),
      ]
      try Console.print(document.compact)
    } else if arguments.flag("count") {
      try Console.print("\(ids.count)")
    } else if arguments.flag("ids") {
      try Console.print(ids.map(String.init).joined(separator: " "))
    } else {
      // Quoted as JSON, so that blanks and control characters can be seen.
      for id in ids { try Console.print("\(id)\t\(JSONValue.string(tokenizer.text(of: id)).compact)") }
    }
  }

  private func text(_ arguments: Arguments) throws -> [UInt8] {
    if let path = arguments.string("file") {
      guard arguments.operands.isEmpty else { throw UsageError("tokenize: --file and a text exclude each other") }
      return try InputFile.bytes(path)
    }
    guard arguments.operands.isEmpty || arguments.operands == ["-"] else {
      return Array(arguments.operands.joined(separator: " ").utf8)
    }
    return [UInt8]((try? FileHandle.standardInput.readToEnd()) ?? Data())
  }

  /// The ids in a text, separated by blanks or commas.
  private func ids(_ text: String) throws(UsageError) -> [Int] {
    var ids: [Int] = []
    for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
      guard let id = Int(word), id >= 0 else { throw UsageError("tokenize: '\(word)' is no token id") }
      ids.append(id)
    }
    return ids
  }
}
