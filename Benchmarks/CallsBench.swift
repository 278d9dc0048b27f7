import Arguments
import Foundation
import JSON
import RunAnywhere
import Tools

/// Asks the questions of a file of cases, greedily, and writes what the model called; nothing is run.
///
/// Its verdict: every call satisfies its tool's schema, no call is shown as text, and no case ends in an error.
struct CallsBench: BenchCommand {
  let command = Command(
    "calls", "writes the tool calls that a model makes for a file of cases",
    options: [
      Option("model", short: "m", value: "FILE", "a GGUF file"),
      Option("cases", value: "FILE", "lines {\"id\", \"prompt\", \"tools\": [...]}, tools in OpenAI's shape"),
      Option("output", short: "o", value: "FILE", "where the calls go: lines {\"id\", \"calls\", \"text\"}"),
      Option("tool-choice", value: "CHOICE", "auto (default) or required"),
      Option("resume", "asks only the cases that the output file lacks, and adds to it"),
      Option("from", value: "N", "begins with case N, counted from 0 (in the categories asked for)"),
      Option("step", value: "N", "every Nth case from there on; with --from it takes a share of the file"),
      Option("limit", value: "N", "only the first N of these cases"),
      Option("category", value: "NAME", "only cases of this category; may be repeated"),
      Option("max-tokens", value: "N", "tokens a case (384)"),
      Option("threads", short: "t", value: "N", "worker threads (as many as the process may use)"),
      Option("guidance", value: "TEXT", "the sentence about when not to call, instead of the default"),
      Option("call-share", value: "SHARE", "how likely a call must be under auto (0.15); 'off' doesn't weigh it"),
      Option("call-check", value: "TEXT", "what is asked before an answer, instead of the default; empty asks nothing"),
      Option("call-evidence", value: "LOGODDS", "how much must speak for a call (2.05)"),
      Option("tool-mention", value: "TEXT", "what stands before the tools in answers' prompts, instead of the default"),
      Option("selection", value: "WAY", "how the tool is chosen: token, whole or calibrated (as the model needs it)"),
      Option("values", value: "WAY", "how values of enumerations are chosen: token or whole"),
      Option("reuse", "measures instead what two rounds and a second question prefill, and the time to a call"),
      Option("peer", value: "COMMAND", "with --reuse: another engine's command, as in speed --peer"),
      Option("cancel", "measures instead how soon cancelled requests stop, and what comes after them"),
      Option("no-grammar", "lets the model write freely, and parses what it wrote"),
      Option("trace", "prints every case with its calls"),
    ])

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let path = try arguments.required("model")
    let threads = try arguments.integer("threads", in: 1...1024)
    if arguments.flag("reuse") {
      return try await CallsReuse(path: path, threads: threads, peer: arguments.string("peer")).report()
    }
    if arguments.flag("cancel") { return try await CallsCancel(path: path, threads: threads).report() }
    let model = try await LanguageModel(path: path, threads: threads)
    let output = CallsOutput(path: try arguments.required("output"))
    let answered = arguments.flag("resume") ? try output.answered() : []
    if answered.isEmpty { try output.clear() }
    let cases = try self.cases(arguments).filter { !answered.contains($0.id) }
    let options = try self.options(arguments)
    let clock = ContinuousClock()
    let start = clock.now
    var tally = CallsTally()
    for item in cases {
      let answer = await item.ask(model, options)
      tally.add(answer, of: item)
      if arguments.flag("trace") {
        print("\(item.id): \(answer.error ?? answer.calls.map(\.description).joined(separator: "; ")) \(answer.text)")
      }
      try output.append(answer.line(item.id))
    }
    return tally.report(seconds: (clock.now - start).seconds)
  }

  private func cases(_ arguments: Arguments) throws -> [CallCase] {
    let categories = arguments.strings("category")
    var cases = try CallCase.read(arguments.required("cases"))
    if !categories.isEmpty { cases = cases.filter { categories.contains($0.category) } }
    let step = try arguments.integer("step", in: 1...1_000_000) ?? 1
    let from = try arguments.integer("from", in: 0...1_000_000) ?? 0
    cases = cases.enumerated().filter { $0.offset >= from && ($0.offset - from) % step == 0 }.map(\.element)
    if let limit = try arguments.integer("limit", in: 0...1_000_000) { cases = Array(cases.prefix(limit)) }
    return cases
  }

  private func options(_ arguments: Arguments) throws -> ToolCallingOptions {
    var options = ToolCallingOptions(autoExecute: false, temperature: 0)
    options.maxTokens = try arguments.integer("max-tokens", in: 1...100_000) ?? 384
    switch arguments.string("tool-choice") ?? "auto" {
    case "auto": options.toolChoice = .auto
    case "required": options.toolChoice = .required
    case let other: throw UsageError("calls: --tool-choice is auto or required, not '\(other)'")
    }
    if let guidance = arguments.string("guidance") { options.guidance = guidance }
    if let check = arguments.string("call-check") { options.callCheck = check }
    if let mention = arguments.string("tool-mention") { options.toolMention = mention }
    if let text = arguments.string("call-evidence") {
      guard let evidence = Double(text), !evidence.isNaN else {
        throw UsageError("calls: --call-evidence is a number")
      }
      options.callEvidence = evidence
    }
    switch arguments.string("selection") {
    case "token"?: options.toolSelection = .tokenByToken
    case "whole"?: options.toolSelection = .wholeNames
    case "calibrated"?: options.toolSelection = .calibrated
    case nil: break
    case let other?: throw UsageError("calls: --selection is token, whole or calibrated, not '\(other)'")
    }
    switch arguments.string("values") {
    case "token"?: options.valueSelection = .tokenByToken
    case "whole"?: options.valueSelection = .wholeNames
    case nil: break
    case let other?: throw UsageError("calls: --values is token or whole, not '\(other)'")
    }
    switch arguments.string("call-share") {
    case "off"?: options.callShare = nil
    case let text?:
      guard let share = Double(text), share > 0 else {
        throw UsageError("calls: --call-share is a number above 0 or off")
      }
      options.callShare = share
    case nil: break
    }
    if arguments.flag("no-grammar") { options.grammar = .off }
    return options
  }
}
