import Arguments
import JSON

/// Runs one command of `ra-bench`: words in, exit status out.
struct BenchFrame {
  static let program = "ra-bench"
  let commands: [any BenchCommand]

  /// 0 when the run's verdict holds, 1 when it doesn't or the run failed, 2 on wrong usage.
  func run(_ words: [String]) async -> Int32 {
    guard let name = words.first, !["-h", "--help", "help"].contains(name) else {
      let asked = words.dropFirst().first
      guard let asked, let bench = find(asked) else {
        Console.output.line(overview)
        return words.isEmpty ? 2 : 0
      }
      Console.output.line(framed(bench).help(program: Self.program))
      return 0
    }
    guard let bench = find(name) else {
      let near = Spelling.nearest(to: name, in: commands.map(\.command.name)).map { "; did you mean \($0)?" } ?? ""
      complain("unknown command '\(name)'\(near) (see \(Self.program) help)")
      return 2
    }
    do {
      let arguments = try Arguments(Array(words.dropFirst()), for: framed(bench))
      if arguments.wantsHelp {
        Console.output.line(arguments.command.help(program: Self.program))
        return 0
      }
      if bench.measuresSpeed && Machine.isDebugBuild {
        complain("this is a debug build, whose speed says nothing: build with -c release")
        return 1
      }
      return try await measure(bench, arguments)
    } catch let error as UsageError {
      complain("\(error.message) (see \(Self.program) help \(name))")
      return 2
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private func measure(_ bench: any BenchCommand, _ arguments: Arguments) async throws -> Int32 {
    let loadBefore = Machine.loadAverage
    var report = try await bench.run(arguments)
    if !report.text.isEmpty { Console.output.line(report.text) }
    let build = Machine.isDebugBuild ? ", debug build" : ""
    if let load = loadBefore { Console.output.line("load average \(fixed(load, 2))\(build)") }
    if arguments.flag("json") {
      report["load_average"] = loadBefore.map { .double($0) } ?? .null
      report["debug"] = .boolean(Machine.isDebugBuild)
      report["ok"] = .boolean(report.verdict)
      Console.output.line(JSONValue.object(report.fields).compact)
    }
    return report.verdict ? 0 : 1
  }

  /// The command with the options that every command has.
  private func framed(_ bench: any BenchCommand) -> Command {
    let own = bench.command
    return Command(
      own.name, own.summary, operands: own.operands,
      options: own.options + [Option("json", "one JSON object on the last line")], discussion: own.discussion)
  }

  private func find(_ name: String) -> (any BenchCommand)? {
    commands.first { $0.command.name == name }
  }

  private var overview: String {
    let rows = commands.map { (left: $0.command.name, right: $0.command.summary) }
    let lines =
      ["usage: \(Self.program) <command> [OPTIONS]", "", "Measurements and conformance runs.", "", "commands:"]
      + HelpText.table(rows) + ["", "\(Self.program) help <command> shows a command's options."]
    return lines.joined(separator: "\n")
  }

  private func complain(_ message: String) {
    // One line, whatever the message holds.
    Console.error.line("\(Self.program): " + message.split(separator: "\n").joined(separator: " "))
  }
}
