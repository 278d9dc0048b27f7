import Arguments
import JSON

/// A schema with values that satisfy it and values that don't.
struct SchemasCase: Sendable {
  let id: String
  let source: String
  let schema: JSONValue
  var valid: [JSONValue]
  var invalid: [JSONValue]

  /// Sets of function calls, as opposed to configuration files and made-up keywords.
  var isTool: Bool { ["Glaive", "BFCL", "JME", "MCPspec"].contains { source.hasPrefix($0) || id.hasPrefix($0) } }

  /// Reads lines of the form `{"id", "schema", "valid": [...], "invalid": [...]}`, or one instance a line,
  /// `{"id": "group/test", "schema", "data", "valid": true}`, which are put together by group.
  static func read(_ path: String) throws -> [SchemasCase] {
    var cases: [SchemasCase] = []
    var groups: [String: Int] = [:]
    for (index, value) in try BenchInput.lines(path).enumerated() {
      guard let id = value["id"]?.stringValue, let schema = value["schema"] else {
        throw UsageError("\(path): line \(index + 1) has no id or no schema")
      }
      let source = value["source"]?.stringValue ?? ""
      guard let data = value["data"] else {
        cases.append(
          SchemasCase(
            id: id, source: source, schema: schema, valid: value["valid"]?.arrayValue ?? [],
            invalid: value["invalid"]?.arrayValue ?? []))
        continue
      }
      let group = id.split(separator: "/").dropLast().joined(separator: "/")
      let place = groups[group] ?? cases.count
      if place == cases.count {
        cases.append(SchemasCase(id: group, source: source, schema: schema, valid: [], invalid: []))
        groups[group] = place
      }
      if value["valid"] == .boolean(true) { cases[place].valid.append(data) } else { cases[place].invalid.append(data) }
    }
    return cases
  }
}
