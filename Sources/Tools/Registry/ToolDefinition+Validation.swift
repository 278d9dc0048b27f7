import Grammar
import JSON

extension ToolDefinition {
  /// What keeps this tool from being offered, in the order of the definition; empty when all is well.
  package func issues() -> [ToolIssue] {
    var issues = nameIssues
    issues += ToolDefinition.issues(of: parameters, tool: name, pointer: "")
    guard issues.isEmpty else { return issues }
    return schemaIssues
  }

  /// The names that more than one of the tools has: nobody could say which of them a call is for.
  package static func sharedNames(of tools: [ToolDefinition]) -> [ToolIssue] {
    var seen: Set<String> = []
    return tools.filter { !seen.insert($0.name).inserted }
      .map { ToolIssue(tool: $0.name, pointer: "", reason: "another tool has the same name") }
  }

  private var nameIssues: [ToolIssue] {
    if name.isEmpty { return [issue("", "the name is empty; give it 1 to 64 letters, digits, `_`, `-` or `.`")] }
    let allowed = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard allowed else { return [issue("", "the name may hold only ASCII letters, digits, `_`, `-` and `.`")] }
    guard name.utf8.count <= 64 else {
      return [issue("", "the name has \(name.utf8.count) bytes, at most 64 are allowed")]
    }
    return []
  }

  private var schemaIssues: [ToolIssue] {
    let schema = argumentSchema.value
    guard case .object(let object) = schema else { return [issue("", "the schema is not a JSON object")] }
    if let type = object["type"], type != .string("object") {
      return [issue("/type", "arguments are an object, so the schema's type must be \"object\", not \(type.compact)")]
    }
    do throws(GrammarError) {
      _ = try Grammar(.json(schema: ToolDefinition.objectSchema(schema)), options: .toolCalls)
      return []
    } catch {
      let pointer = error.pointer.hasPrefix("#") ? String(error.pointer.dropFirst()) : error.pointer
      return [issue(pointer, error.keyword.isEmpty ? error.reason : "\"\(error.keyword)\": \(error.reason)")]
    }
  }

  /// `schema` held to objects, which arguments always are, and to the members that it declares unless it speaks of
  /// others.
  static func objectSchema(_ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    if object["type"] == nil { object["type"] = .string("object") }
    let speaksOfOthers = [
      "additionalProperties", "patternProperties", "unevaluatedProperties", "propertyNames", "allOf", "anyOf", "oneOf",
      "$ref", "if", "not", "minProperties",
    ].contains { object[$0] != nil }
    if !speaksOfOthers { object["additionalProperties"] = .boolean(false) }
    return .object(object)
  }

  private func issue(_ pointer: String, _ reason: String) -> ToolIssue {
    ToolIssue(tool: name, pointer: pointer, reason: reason)
  }

  private static func issues(of parameters: [ToolParameter], tool: String, pointer: String) -> [ToolIssue] {
    var issues: [ToolIssue] = []
    // Handlers get dictionaries of strings, in which canonically equivalent names are one.
    var seen: Set<String> = []
    for parameter in parameters {
      let place = "\(pointer)/properties/\(escaped(parameter.name))"
      if parameter.name.isEmpty {
        issues.append(ToolIssue(tool: tool, pointer: place, reason: "a parameter has no name"))
      }
      if !seen.insert(parameter.name).inserted {
        issues.append(
          ToolIssue(tool: tool, pointer: place, reason: "two parameters are called \"\(parameter.name)\""))
      }
      if let values = parameter.enumValues {
        issues += enumIssues(values, of: parameter, tool: tool, pointer: place)
      }
      issues += nestedIssues(in: parameter.type, tool: tool, pointer: place)
    }
    return issues
  }

  private static func nestedIssues(in type: ToolParameterType, tool: String, pointer: String) -> [ToolIssue] {
    switch type {
    case .array(let item): nestedIssues(in: item, tool: tool, pointer: "\(pointer)/items")
    case .object(let parameters): issues(of: parameters, tool: tool, pointer: pointer)
    default: []
    }
  }

  private static func enumIssues(
    _ values: [String], of parameter: ToolParameter, tool: String, pointer: String
  ) -> [ToolIssue] {
    let place = "\(pointer)/enum"
    guard !values.isEmpty else { return [ToolIssue(tool: tool, pointer: place, reason: "the list of values is empty")] }
    switch parameter.type {
    case .string, .integer, .number, .boolean: break
    default:
      return [ToolIssue(tool: tool, pointer: place, reason: "only strings, numbers and booleans may list their values")]
    }
    let wrong = values.first { value in
      switch (parameter.type, try? JSONValue(parsing: value)) {
      case (.string, _), (.integer, .integer), (.number, .integer), (.number, .double), (.boolean, .boolean): false
      default: true
      }
    }
    guard let wrong else { return [] }
    return [ToolIssue(tool: tool, pointer: place, reason: "the value \"\(wrong)\" does not have the parameter's type")]
  }

  /// A name as a part of a JSON pointer (RFC 6901).
  private static func escaped(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
