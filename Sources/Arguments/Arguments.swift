/// The words behind a command, parsed: a value that tests can look at.
///
/// ```swift
/// let command = Command("speed", "measures", options: [
///   Option("model", short: "m", value: "FILE", "the GGUF file"),
///   Option("threads", short: "t", value: "N", "worker threads"),
///   Option("json", "one JSON object on the last line"),
/// ])
/// let arguments = try Arguments(["--model=a.gguf", "-t", "2", "--json"], for: command)
/// try arguments.required("model")                     // "a.gguf"
/// try arguments.integer("threads", in: 1...1024)      // 2
/// arguments.flag("json")                              // true
/// ```
///
/// Values follow as the next word or after `=`; the last of several wins; `--` ends the options; a lone `-` is an
/// operand. Operands and options may be mixed. `-h` and `--help` are always understood. Asking a getter for an
/// option that the command doesn't declare is a mistake of the programmer and traps.
package struct Arguments: Sendable, Equatable {
  /// What the words were parsed for.
  package let command: Command
  /// The words that are no options, in order.
  package private(set) var operands: [String] = []
  /// Whether help was asked for.
  package private(set) var wantsHelp = false
  private var values: [String: [String]] = [:]

  /// Parses `words`, the command's name not among them.
  ///
  /// - Throws: ``UsageError`` on an unknown option, a missing or unexpected value, or an operand where none may stand.
  package init(_ words: [String], for command: Command) throws(UsageError) {
    self.command = command
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        rest = []
      } else if word == "-h" || word == "--help" {
        wantsHelp = true
      } else if word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 {
        try parseOption(word, rest: &rest)
      } else {
        operands.append(word)
      }
    }
    if command.operands.isEmpty, let first = operands.first, !wantsHelp {
      throw UsageError("\(command.name): unexpected argument '\(first)'")
    }
  }

  private mutating func parseOption(_ word: String, rest: inout ArraySlice<String>) throws(UsageError) {
    let equals = word.utf8.firstIndex(of: UInt8(ascii: "="))
    let spelling = String(word[..<(equals ?? word.endIndex)])
    guard let option = command.options.first(where: { $0.spellings.contains(spelling) }) else {
      throw UsageError("\(command.name): unknown option \(spelling)\(Self.suggestion(for: spelling, in: command))")
    }
    let attached = equals.map { String(word[word.utf8.index(after: $0)...]) }
    guard let placeholder = option.value else {
      if attached != nil { throw UsageError("\(spelling) takes no value") }
      values[option.name] = []
      return
    }
    if let attached {
      values[option.name, default: []].append(attached)
      return
    }
    // A declared option in the place of a value is a forgotten value; anything else, also "-1", is the value.
    guard let next = rest.first, !command.options.contains(where: { $0.spellings.contains(next) }) else {
      throw UsageError("\(spelling) needs a value (\(placeholder))")
    }
    values[option.name, default: []].append(next)
    rest = rest.dropFirst()
  }

  private static func suggestion(for spelling: String, in command: Command) -> String {
    let names = command.options.flatMap(\.spellings).filter { $0.hasPrefix("--") }
    // A part of a name is meant as the whole: --schema for --json-schema.
    let part = "-" + spelling.drop { $0 == "-" }
    let whole = part.utf8.count > 4 ? names.first { $0.hasSuffix(part) } : nil
    guard let near = Spelling.nearest(to: spelling, in: names) ?? whole else { return "" }
    return "; did you mean \(near)?"
  }
}

extension Arguments {
  /// Whether the command has this option at all: for code that serves several commands.
  package func declares(_ name: String) -> Bool {
    command.option(named: name) != nil
  }

  /// Whether a flag was given.
  package func flag(_ name: String) -> Bool {
    precondition(command.option(named: name)?.value == nil, "--\(name) takes a value")
    return given(name) != nil
  }

  /// The value of an option, or `nil`.
  package func string(_ name: String) -> String? {
    given(name)?.last
  }

  /// Every value of an option that may be repeated, in order.
  package func strings(_ name: String) -> [String] {
    given(name) ?? []
  }

  /// The value of an option that can't be left out.
  package func required(_ name: String) throws(UsageError) -> String {
    guard let value = string(name) else {
      let placeholder = command.option(named: name)?.value ?? "VALUE"
      throw UsageError("\(command.name): --\(name) \(placeholder) is missing")
    }
    return value
  }

  /// The value of an option as an integer within `range`, or `nil` when it wasn't given.
  package func integer(_ name: String, in range: ClosedRange<Int> = .min ... .max) throws(UsageError) -> Int? {
    guard let text = string(name) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw UsageError("--\(name) wants a whole number\(Self.describe(range)), not '\(text)'")
    }
    return value
  }

  /// The value of an option as a finite number within `range`, or `nil` when it wasn't given.
  package func double(
    _ name: String, in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) throws(UsageError) -> Double? {
    guard let text = string(name) else { return nil }
    guard let value = Double(text), value.isFinite, range.contains(value) else {
      let bounds =
        range.upperBound == .greatestFiniteMagnitude
        ? "" : " from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
      throw UsageError("--\(name) wants a number\(bounds), not '\(text)'")
    }
    return value
  }

  /// The value of an option that takes one of a few words, or `nil` when it wasn't given.
  package func choice(_ name: String, of words: [String]) throws(UsageError) -> String? {
    guard let text = string(name) else { return nil }
    guard words.contains(text) else {
      throw UsageError("--\(name) wants one of \(words.joined(separator: ", ")), not '\(text)'")
    }
    return text
  }

  private func given(_ name: String) -> [String]? {
    precondition(command.option(named: name) != nil, "\(command.name) declares no option --\(name)")
    return values[name]
  }

  /// `0` for 0.0.
  private static func short(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }

  private static func describe(_ range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (.min, .max): ""
    case (let low, .max): " of at least \(low)"
    case (.min, let high): " of at most \(high)"
    case (let low, let high): " from \(low) to \(high)"
    }
  }
}
