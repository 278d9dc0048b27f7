import Arguments
import ChatTemplate
import JSON

/// Renders conversations with the templates in a folder and compares with what another engine printed.
struct TemplatesBench: BenchCommand {
  let command = Command(
    "templates", "compares rendered chat templates with goldens",
    options: [
      Option("golden", value: "FILE", "conversations with their prompts, a JSON object a line"),
      Option("dir", value: "DIR", "the folder of the templates that FILE names"),
      Option("micro", value: "FILE", "one-line templates with their output, a JSON object a line"),
      Option("vars", value: "FILE", "the variables of the one-line templates"),
      Option(
        "model", short: "m", value: "FILE", "with --golden and --template: compare token ids by this file's tokenizer"),
      Option("template", value: "NAME", "with --model: the rows of this template alone"),
      Option("speed", "with --dir: measures compiling and rendering instead"),
      Option("verbose", short: "v", "show what differs"),
    ],
    discussion: """
      The clock stands at 2025-03-09 14:05:07. With --golden: every row marked `same`, every text of raise_exception and \
      99 % of all rows with an output must be equal. With --micro: 99 % of all rows. With --model: all ids, and no text \
      that a message, tool or result holds may become a control token. With --speed: at most 5 ms to compile, 2 ms to \
      render 20 messages with 10 tools.
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    if let micro = arguments.string("micro") {
      let variables = try JSONValue(parsing: BenchInput.text(arguments.required("vars")))
      return try compare(BenchInput.lines(micro), verbose: arguments.flag("verbose")) { row in
        (row["template"]?.stringValue ?? "", variables.objectValue ?? JSONObject())
      }
    }
    let folder = try arguments.required("dir")
    if arguments.flag("speed") {
      guard !Machine.isDebugBuild else { throw UsageError("the speed of a debug build says nothing") }
      return try TemplatesSpeed(folder: folder).report()
    }
    if let model = arguments.string("model") {
      let name = try arguments.required("template")
      let rows = try BenchInput.lines(arguments.required("golden")).filter { $0["template_file"]?.stringValue == name }
      return try TemplatesTokens(model: model, source: BenchInput.text("\(folder)/\(name)"))
        .report(rows: rows, context: Self.context)
    }
    var sources: [String: String] = [:]
    return try compare(BenchInput.lines(arguments.required("golden")), verbose: arguments.flag("verbose")) { row in
      let name = row["template_file"]?.stringValue ?? ""
      if sources[name] == nil { sources[name] = try BenchInput.text("\(folder)/\(name)") }
      return (sources[name] ?? "", Self.context(of: row))
    }
  }

  /// A row's variables: its own, the conversation, and `documents` as none unless given.
  private static func context(of row: JSONValue) -> JSONObject {
    var context: JSONObject = ["documents": .null]
    for (name, value) in row["vars"]?.objectValue?.members ?? [] { context[name] = value }
    for name in ["messages", "tools", "add_generation_prompt"] { context[name] = row[name] ?? .null }
    return context
  }

  private func compare(
    _ rows: [JSONValue], verbose: Bool, _ prepare: (JSONValue) throws -> (String, JSONObject)
  ) throws -> BenchReport {
    let clock = TemplateClock(year: 2025, month: 3, day: 9, hour: 14, minute: 5, second: 7)
    var tally = Tally()
    var report = BenchReport(columns: ["rows", "of", "equal"])
    for row in rows {
      let (source, context) = try prepare(row)
      let result: Result<String, TemplateError>
      do {
        result = .success(try ChatTemplate(source: source).render(context, clock: clock).text)
      } catch {
        result = .failure(error)
      }
      if !tally.add(row, result), verbose {
        let name = "\(row["template_file"]?.stringValue ?? source) \(row["case"]?.stringValue ?? "")"
        report.line(
          "\(name)\n  expected \(row["output"] ?? row["error"] ?? .null)\n  found    \(Self.describe(result))")
      }
    }
    report.row("outputs", "\(tally.outputs)", "\(tally.outputsEqual)")
    report.row("marked same", "\(tally.same)", "\(tally.sameEqual)")
    report.row("errors", "\(tally.errors)", "\(tally.errorsRight)")
    report["outputs"] = .integer(tally.outputs)
    report["outputs_equal"] = .integer(tally.outputsEqual)
    report["same"] = .integer(tally.same)
    report["same_equal"] = .integer(tally.sameEqual)
    report["errors"] = .integer(tally.errors)
    report["errors_right"] = .integer(tally.errorsRight)
    report.verdict = tally.holds
    return report
  }

  private static func describe(_ result: Result<String, TemplateError>) -> String {
    switch result {
    case .success(let text): JSONValue.string(text).spaced
    case .failure(let error): "\(error)"
    }
  }
}

/// Rows counted by what they expect.
private struct Tally {
  var outputs = 0
  var outputsEqual = 0
  var same = 0
  var sameEqual = 0
  var errors = 0
  var errorsRight = 0
  private var raisedWrong = 0

  var holds: Bool {
    let rows = outputs + errors
    return sameEqual == same && raisedWrong == 0 && outputsEqual * 100 >= outputs * 99
      && (outputsEqual + errorsRight) * 100 >= rows * 99
  }

  /// Counts a row; false when it differs.
  mutating func add(_ row: JSONValue, _ result: Result<String, TemplateError>) -> Bool {
    let isRight: Bool
    if let expected = row["output"]?.stringValue {
      let also = row["output_safe_identity"]?.stringValue
      isRight = (try? result.get()).map { $0.utf8.elementsEqual(expected.utf8) || $0 == also } ?? false
      outputs += 1
      outputsEqual += isRight ? 1 : 0
    } else {
      isRight = Self.isRight(row["error"]?.stringValue ?? "", result)
      errors += 1
      errorsRight += isRight ? 1 : 0
      if !isRight, row["error"]?.stringValue?.hasPrefix("raise_exception: ") == true { raisedWrong += 1 }
    }
    if row["lc"]?.stringValue == "same" {
      same += 1
      sameEqual += isRight ? 1 : 0
    }
    return isRight
  }

  private static func isRight(_ expected: String, _ result: Result<String, TemplateError>) -> Bool {
    guard case .failure(let error) = result else { return false }
    let prefix = "raise_exception: "
    guard expected.hasPrefix(prefix) else { return error.kind != .raised }
    return error.kind == .raised && error.message.utf8.elementsEqual(expected.dropFirst(prefix.count).utf8)
  }
}
