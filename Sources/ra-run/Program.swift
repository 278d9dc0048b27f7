import Arguments
import Foundation
import RunAnywhere

/// The command line: words in, exit status out.
struct Program: Sendable {
  static let name = "ra-run"

  /// 0 done, 1 failed, 2 wrong usage, 130 cancelled.
  enum Status {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    static let cancelled: Int32 = 130
  }

  /// In the order in which help shows them.
  static let commands: [any ProgramCommand] = [
    RunCommand(), ChatCommand(), ToolsCommand(), GenerateCommand(), DemoCommand(), PullCommand(), ListCommand(),
    ShowCommand(), TokenizeCommand(), TemplateCommand(), DoctorCommand(), VersionCommand(),
  ]

  func run(_ words: [String]) async -> Int32 {
    guard let first = words.first else {
      Console.error.line(Self.overview)
      return Status.usage
    }
    switch first {
    case "-h", "--help", "help": return help(words.dropFirst().first)
    case "-v", "--version": return await run(["version"])
    default: break
    }
    guard let command = Self.find(first) else { return complainAboutCommand(first) }
    do {
      let arguments = try Arguments(Array(words.dropFirst()), for: command.command)
      if arguments.wantsHelp { return help(first) }
      return try await command.run(arguments)
    } catch {
      return Self.report(error, command: first)
    }
  }

  /// Prints an error as one line on standard error and chooses the exit status.
  static func report(_ error: any Error, command: String) -> Int32 {
    switch error {
    case let error as UsageError:
      complain("\(error.message) (see \(name) help \(command))")
      return Status.usage
    case let error as ReaderGone:
      guard let reason = error.reason else { return Status.done }
      complain("standard output: \(reason)")
      return Status.failed
    case is CancellationError:
      return Status.cancelled
    case let error as SDKError where error.code == .cancelled:
      return Status.cancelled
    case let error as SDKError where error.code == .invalidInput:
      complain("\(error.message) (see \(name) help \(command))")
      return Status.usage
    case let error as SDKError:
      complain(error.message)
      return Status.failed
    case let error as ModelDownloadError where error.kind == .cancelled:
      complain(error.message)
      return Status.cancelled
    default:
      complain("\(error)")
      return Status.failed
    }
  }

  private static func complain(_ message: String) {
    Console.error.line("\(name): " + message.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  private static func find(_ name: String) -> (any ProgramCommand)? {
    commands.first { $0.command.name == name }
  }

  private func complainAboutCommand(_ word: String) -> Int32 {
    let near = Spelling.nearest(to: word, in: Self.commands.map(\.command.name) + ["help"])
    Self.complain("unknown command '\(word)'\(near.map { "; did you mean \($0)?" } ?? "") (see \(Self.name) help)")
    return Status.usage
  }

  private func help(_ word: String?) -> Int32 {
    guard let word, word != "help" else {
      Console.output.line(Self.overview)
      return Status.done
    }
    guard let command = Self.find(word) else { return complainAboutCommand(word) }
    Console.output.line(command.command.help(program: Self.name))
    return Status.done
  }

  /// The list of commands.
  static var overview: String {
    let rows = commands.map { (left: $0.command.name, right: $0.command.summary) }
    let lines =
      [
        "usage: \(name) <command> [OPTIONS] [...]", "",
        "Runs language models, and lets them call tools, on this machine.",
      ]
      + ["", "commands:"] + HelpText.table(rows + [(left: "help", right: "shows a command's options")])
      + ["", "\(name) help <command> shows a command's options.", ""]
      + HelpText.wrap(
        "Answers go to standard output, everything else to standard error. The status is \(Status.done) when done, "
          + "\(Status.failed) when something failed, \(Status.usage) for wrong usage, \(Status.cancelled) when cancelled.",
        width: HelpText.width)
    return lines.joined(separator: "\n")
  }
}

/// One command of `ra-run`.
protocol ProgramCommand: Sendable {
  /// Name, options and help.
  var command: Command { get }

  /// Does the work and returns the exit status.
  func run(_ arguments: Arguments) async throws -> Int32
}

/// Standard output takes no more: whoever read it has gone away, and the program ends without a word, or it can't be
/// written to.
struct ReaderGone: Error {
  /// Why it can't be written to; `nil` when the reader has gone away.
  let reason: String?

  /// The fault of the last write.
  init() {
    let code = errno
    reason = code == EPIPE ? nil : String(cString: strerror(code))
  }
}

extension Console {
  /// Writes to standard output.
  ///
  /// - Throws: ``ReaderGone`` when nobody reads any more.
  static func print(_ text: String, terminator: String = "\n") throws(ReaderGone) {
    guard Console.output.write(text + terminator) else { throw ReaderGone() }
  }
}
