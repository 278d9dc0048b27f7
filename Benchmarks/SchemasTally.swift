import JSON

/// What came out for one schema.
struct SchemasOutcome {
  let id: String
  let isTool: Bool
  /// Why it was refused; `nil` when it compiled.
  var refusal: String?
  var valid = 0
  var validRefused = 0
  var invalid = 0
  var invalidAccepted = 0
  /// A text that was judged wrongly.
  var example: String?

  init(id: String, isTool: Bool) {
    self.id = id
    self.isTool = isTool
  }

  var isRight: Bool { refusal == nil && validRefused == 0 && invalidAccepted == 0 }
}

/// The sums over all schemas.
struct SchemasTally {
  private var outcomes: [SchemasOutcome] = []

  mutating func add(_ outcome: SchemasOutcome) { outcomes.append(outcome) }

  func report(isVerbose: Bool) -> BenchReport {
    var report = BenchReport(columns: [
      "", "schemas", "refused", "fully right", "valid", "refused", "invalid", "accepted",
    ])
    for (name, part) in [("all", outcomes), ("tools", outcomes.filter(\.isTool))] where !part.isEmpty {
      let compiled = part.filter { $0.refusal == nil }
      let sums = [
        part.count, part.count - compiled.count, part.count(where: \.isRight), sum(compiled, \.valid),
        sum(compiled, \.validRefused), sum(compiled, \.invalid), sum(compiled, \.invalidAccepted),
      ]
      report.row([name] + sums.map(String.init))
      if name == "tools" {
        report["tool_schemas"] = .integer(part.count)
        report["tool_fully_right"] = .integer(sums[2])
      } else {
        for (field, value) in zip(
          ["schemas", "refused", "fully_right", "valid", "valid_refused", "invalid", "invalid_accepted"], sums)
        {
          report[field] = .integer(value)
        }
        report["compiled"] = .integer(compiled.count)
        report.verdict = sums[6] == 0 && Double(sums[4]) <= 0.06 * Double(max(1, sums[3]))
      }
    }
    if isVerbose {
      for outcome in outcomes where !outcome.isRight {
        if let refusal = outcome.refusal {
          report.line("refused  \(outcome.id)  \(refusal)")
        } else {
          let counts = "\(outcome.validRefused) valid refused, \(outcome.invalidAccepted) invalid accepted"
          report.line("wrong    \(outcome.id)  \(counts)  \((outcome.example ?? "").prefix(160))")
        }
      }
    }
    return report
  }

  private func sum(_ part: [SchemasOutcome], _ field: (SchemasOutcome) -> Int) -> Int {
    part.reduce(0) { $0 + field($1) }
  }
}
