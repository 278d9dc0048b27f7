import ChatTemplate
import Foundation
import JSON
import TestSupport
import Testing

/// Every golden conversation with every golden template, against what the reference engine printed.
@Suite(.enabled(if: SharedData.isPresent, "needs the goldens in ../shared"))
struct GoldenTests {
  private let clock = TemplateClock(year: 2025, month: 3, day: 9, hour: 14, minute: 5, second: 7)

  /// What is wrong with a row's rendering; `nil` when it is right.
  private func fault(_ row: JSONValue, _ source: String, _ context: JSONObject) -> String? {
    do throws(TemplateError) {
      let text = try ChatTemplate(source: source).render(context, clock: clock).text
      let accepted = [row["output"]?.stringValue, row["output_safe_identity"]?.stringValue]
      return accepted.contains { $0.map { $0.utf8.elementsEqual(text.utf8) } ?? false }
        ? nil : "printed \(text.debugDescription)"
    } catch {
      guard let expected = row["error"]?.stringValue else { return "\(error)" }
      let mark = "raise_exception: "
      guard expected.hasPrefix(mark) else { return error.kind == .raised ? "\(error)" : nil }
      return error.kind == .raised && error.message == String(expected.dropFirst(mark.count)) ? nil : "\(error)"
    }
  }

  @Test func conversationsEqualTheReference() throws {
    var sources: [String: String] = [:]
    var faults: [String] = []
    for line in try SharedData.lines("data/templates/golden.jsonl") {
      let row = try JSONValue(parsing: line)
      let name = try #require(row["template_file"]?.stringValue)
      if sources[name] == nil {
        let bytes = try SharedData.bytes("data/templates/jinja/\(name)")
        sources[name] = String(decoding: bytes, as: UTF8.self)
      }
      var context: JSONObject = ["documents": .null]
      for (name, value) in row["vars"]?.objectValue?.members ?? [] { context[name] = value }
      for name in ["messages", "tools", "add_generation_prompt"] { context[name] = row[name] ?? .null }
      if let fault = fault(row, sources[name] ?? "", context) {
        faults.append("\(name) \(row["case"] ?? .null): \(fault)")
      }
    }
    #expect(faults == [])
  }

  @Test func oneLinersEqualTheReference() throws {
    let variables = try JSONValue(parsing: SharedData.bytes("data/templates/micro-vars.json")).objectValue ?? [:]
    var faults: [String] = []
    for line in try SharedData.lines("data/templates/micro.jsonl") {
      let row = try JSONValue(parsing: line)
      let source = try #require(row["template"]?.stringValue)
      if let fault = fault(row, source, variables) { faults.append("\(source): \(fault)") }
    }
    #expect(faults == [])
  }
}
