import Arguments
import Foundation

/// What comes from standard input or a file in place of a prompt.
enum StandardInput {
  /// Whether a person types there.
  static var isTerminal: Bool { isatty(0) == 1 }

  /// Everything up to its end; bytes that are no UTF-8 become U+FFFD.
  static func all() -> String {
    let data = (try? FileHandle.standardInput.readToEnd()) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  /// The text of a command: `--prompt`, the operands joined by spaces, the file of `--file`, or standard input when
  /// it is no terminal or the operand is `-`. `nil` when there is none of them.
  static func text(_ arguments: Arguments) throws -> String? {
    if let prompt = arguments.string("prompt") {
      guard arguments.operands.isEmpty, arguments.string("file") == nil else {
        throw UsageError("\(arguments.command.name): --prompt, --file and a prompt at the end exclude each other")
      }
      return prompt
    }
    if let path = arguments.string("file") {
      guard arguments.operands.isEmpty else {
        throw UsageError("\(arguments.command.name): --file and a prompt at the end exclude each other")
      }
      return String(decoding: try InputFile.bytes(path), as: UTF8.self)
    }
    if arguments.operands == ["-"] { return all() }
    if !arguments.operands.isEmpty { return arguments.operands.joined(separator: " ") }
    return isTerminal ? nil : all()
  }

  /// The declarations.
  static let options = [
    Option("prompt", short: "p", value: "TEXT", "the prompt, in place of one at the end"),
    Option("file", short: "f", value: "FILE", "read the prompt from a file"),
  ]
}
