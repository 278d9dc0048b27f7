import Arguments

/// One measurement or conformance run of `ra-bench`.
///
/// A command is a type in its own file; ``benchCommands`` in `BenchRegistry.swift` lists it. The frame parses the
/// words, prints the table and the load average, adds `--json`, and turns the verdict into the exit status, so a
/// command only measures:
///
/// ```swift
/// struct TokenizerBench: BenchCommand {
///   let command = Command("tokenizer", "compares token ids with goldens", options: [
///     Option("model", short: "m", value: "FILE", "a GGUF file with a tokenizer"),
///     Option("golden", value: "FILE", "texts with their ids, a JSON object a line"),
///   ])
///
///   func run(_ arguments: Arguments) async throws -> BenchReport {
///     let model = try arguments.required("model")
///     …
///     var report = BenchReport(columns: ["texts", "equal"])
///     report.row("\(texts)", "\(equal)")
///     report["texts"] = .integer(texts)
///     report.verdict = equal == texts
///     return report
///   }
/// }
/// ```
protocol BenchCommand: Sendable {
  /// Name, options and help; the frame adds `--json` and `--help`.
  var command: Command { get }

  /// Whether what it reports is speed: then a debug build refuses to run it.
  var measuresSpeed: Bool { get }

  /// Does the work.
  ///
  /// - Throws: ``UsageError`` for wrong options (exit status 2); any other error is printed as one line (1).
  func run(_ arguments: Arguments) async throws -> BenchReport
}

extension BenchCommand {
  var measuresSpeed: Bool { false }
}
