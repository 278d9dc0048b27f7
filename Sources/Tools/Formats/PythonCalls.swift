import ChatTemplate
import Grammar
import JSON

/// Grammars of calls in Python's notation, as `PythonNotation` writes them.
///
/// Arguments come by name: the required ones first, then the optional ones, each in the order of their declaration. True,
/// False and None are Python's at the top and JSON's inside lists and dictionaries, both of which are read.
enum PythonCalls {
  /// From 1 to `maximum` calls in brackets.
  static func list(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    .sequence([
      .literal("["), .repeated(.choice(tools.map(call)), min: 1, max: maximum, separator: ", "), .literal("]"),
    ])
  }

  private static func call(_ tool: CallableTool) -> GrammarExpression {
    .sequence([.literal("\(tool.name)("), arguments(tool.schema), .literal(")")])
  }

  // MARK: Arguments

  /// The keywords of a schema whose properties can be written one by one.
  private static let plainKeywords: Set<String> = [
    "type", "properties", "required", "additionalProperties", "description", "title", "$defs", "definitions", "$schema",
    "$id", "$comment", "examples", "default", "strict",
  ]

  private static func arguments(_ schema: JSONValue) -> GrammarExpression {
    guard let object = schema.objectValue, object.keys.allSatisfy(plainKeywords.contains),
      !refersToRoot(schema), let properties = (schema["properties"] ?? .object(JSONObject())).objectValue,
      properties.keys.allSatisfy(PythonNotation.isKeyword)
    else {
      // What only the whole object can be held to is written as one.
      return .sequence([.literal("**"), .json(schema: schema)])
    }
    let required = Set((schema["required"]?.arrayValue ?? []).compactMap(\.stringValue))
    guard required.allSatisfy({ properties[$0] != nil }) else {
      return .sequence([.literal("**"), .json(schema: schema)])
    }
    let all = properties.members.map { (name: $0.key, value: value(rooted($0.value, in: object))) }
    let needed = all.filter { required.contains($0.name) }
    let optional = all.filter { !required.contains($0.name) }
    var parts: [GrammarExpression] = []
    for (index, item) in needed.enumerated() {
      parts += [.literal("\(index > 0 ? ", " : "")\(item.name)="), item.value]
    }
    if !needed.isEmpty { return .sequence(parts + optional.map(following)) }
    // Any of the optional ones may be the first.
    let beginnings = optional.indices.map { first in
      GrammarExpression.sequence(
        [.literal("\(optional[first].name)="), optional[first].value]
          + optional[(first + 1)...].map(following))
    }
    return .choice([.literal("")] + beginnings)
  }

  private static func following(_ item: (name: String, value: GrammarExpression)) -> GrammarExpression {
    .choice([.literal(""), .sequence([.literal(", \(item.name)="), item.value])])
  }

  /// Whether the schema refers to a part of itself that moves when its properties stand alone.
  private static func refersToRoot(_ schema: JSONValue) -> Bool {
    switch schema {
    case .array(let items): return items.contains(where: refersToRoot)
    case .object(let object):
      return object.members.contains { key, value in
        if key == "$ref", let target = value.stringValue {
          return !target.hasPrefix("#/$defs/") && !target.hasPrefix("#/definitions/")
        }
        return refersToRoot(value)
      }
    default: return false
    }
  }

  /// A property's schema with the definitions of the whole.
  private static func rooted(_ schema: JSONValue, in root: JSONObject) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    for key in ["$defs", "definitions"] where object[key] == nil {
      if let definitions = root[key] { object[key] = definitions }
    }
    return .object(object)
  }

  // MARK: Values

  private static func value(_ schema: JSONValue) -> GrammarExpression {
    if let allowed = schema["enum"]?.arrayValue, !allowed.isEmpty {
      return .choice(allowed.map { .literal(PythonNotation.text($0)) })
    }
    if let only = schema["const"] { return .literal(PythonNotation.text(only)) }
    switch schema["type"]?.stringValue {
    case "boolean": return .choice([.literal("True"), .literal("False")])
    case "null": return .literal("None")
    case "string":
      let bounds = ["minLength", "maxLength", "pattern", "format", "$ref", "allOf", "anyOf", "oneOf", "not"]
      guard bounds.allSatisfy({ schema[$0] == nil }) else { return .json(schema: schema) }
      let quoted = GrammarExpression.sequence([.literal("'"), .regex("[^'\"\\\\\\x00-\\x1f]*"), .literal("'")])
      return .choice([quoted, .json(schema: schema)])
    default: return .json(schema: schema)
    }
  }
}
