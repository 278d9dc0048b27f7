/// One option that a command understands.
///
/// ```swift
/// Option("model", short: "m", value: "FILE", "the GGUF file")   // -m FILE, --model FILE, --model=FILE
/// Option("json", "print one JSON document")                     // --json
/// ```
package struct Option: Sendable, Equatable {
  /// The name without dashes; typed getters of ``Arguments`` take it.
  package let name: String
  /// The one-letter spelling, without the dash.
  package let short: String?
  /// Further spellings without dashes, accepted but not shown in the help.
  package let aliases: [String]
  /// How help calls the value; `nil` means that the option is a flag.
  package let value: String?
  /// What the option does, as the help prints it.
  package let help: String

  package init(
    _ name: String, short: String? = nil, aliases: [String] = [], value: String? = nil, _ help: String
  ) {
    self.name = name
    self.short = short
    self.aliases = aliases
    self.value = value
    self.help = help
  }

  /// Every word that stands for this option. A one-letter alias takes one dash.
  var spellings: [String] {
    (short.map { ["-" + $0] } ?? []) + ["--" + name] + aliases.map { ($0.utf8.count == 1 ? "-" : "--") + $0 }
  }

  /// The left column of the help.
  var usage: String {
    let dashed = short.map { "-\($0), " } ?? "    "
    return dashed + "--" + name + (value.map { " " + $0 } ?? "")
  }
}
