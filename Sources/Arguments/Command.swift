/// What a command is called and understands: enough to parse its words and to print its help.
package struct Command: Sendable, Equatable {
  /// The name as typed, for example `run`.
  package let name: String
  /// One line for lists of commands.
  package let summary: String
  /// What follows the options, for example `[PROMPT...]`; empty when nothing may follow.
  package let operands: String
  /// The options in the order in which help shows them.
  package let options: [Option]
  /// Further paragraphs and examples, printed as they stand below the options.
  package let discussion: String

  package init(
    _ name: String, _ summary: String, operands: String = "", options: [Option] = [], discussion: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.discussion = discussion
  }

  /// The help of this command.
  ///
  /// - Parameter program: the program's name, printed before the command's.
  package func help(program: String) -> String {
    var lines = ["usage: " + usage(program: program), ""]
    lines += HelpText.wrap(summary.prefix(1).uppercased() + summary.dropFirst() + ".", width: HelpText.width)
    if !options.isEmpty {
      lines += ["", "options:"]
      lines += HelpText.table(options.map { ($0.usage, $0.help) })
    }
    if !discussion.isEmpty {
      lines += ["", discussion]
    }
    return lines.joined(separator: "\n")
  }

  /// One line: program, command, what may follow.
  package func usage(program: String) -> String {
    [program, name, options.isEmpty ? "" : "[OPTIONS]", operands].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The option with this name.
  func option(named name: String) -> Option? {
    options.first { $0.name == name }
  }
}
