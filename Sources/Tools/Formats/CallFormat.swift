package import ChatTemplate
package import Grammar
package import JSON

/// A tool as a grammar sees it.
package struct CallableTool: Sendable, Hashable {
  package let name: String
  /// The JSON Schema of the arguments, always an object's.
  package let schema: JSONValue

  package init(name: String, schema: JSONValue) {
    self.name = name
    self.schema = schema
  }

  package init(_ definition: ToolDefinition) {
    self.init(name: definition.name, schema: ToolDefinition.objectSchema(definition.argumentSchema.value))
  }
}

/// How a family of models writes tool calls: one file a family.
///
/// A format says three things: the grammar of its calls in the canonical form (what the model is held to when it must
/// call, and what the history shows), the grammar of the spellings that are accepted when the model is free to call,
/// and the marks by which a parser finds calls in a text.
package protocol CallFormat: Sendable {
  /// The public name of the format.
  var kind: ToolCallFormat { get }
  /// The key of the arguments in the canonical form.
  var argumentsKey: String { get }
  /// The text before and after a call, wherever in the answer it stands; nil when a call has no marks.
  var marks: CallMarks? { get }
  /// What stands between the marks.
  var syntax: CallSyntax { get }
  /// Whether a list of calls in Python's notation, at the start of the answer or between the marks, is a call.
  var takesLists: Bool { get }
  /// Marks of the family that never belong in an answer.
  var notInText: [String] { get }
  /// What the canonical form begins with, up to where a choice among the tools begins.
  var choiceTrigger: String { get }
  /// What stands behind ``choiceTrigger`` when the tool of this name is called, up to where no other name may follow.
  func choice(of name: String) -> String
  /// What stands between two calls in the canonical form, up to where a second call is certain; empty when the turn can't
  /// end between them.
  var continuation: String { get }
  /// How the tool is chosen unless the caller says otherwise.
  var defaultSelection: ToolSelection { get }
  /// The most characters of a string that its schema doesn't bound; nil leaves it to the token limit.
  var longestString: Int? { get }
  /// How calls are written where no template does it: from such a text the parser reads the same calls.
  var writing: CallWriting { get }
  /// From 1 to `maximum` calls in the canonical form, and nothing else.
  func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression
  /// From 1 to `maximum` calls in any spelling that models of this family are known to use, with what may come before.
  func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression
}

/// What stands between the marks of a call.
package enum CallSyntax: Sendable, Hashable {
  /// A JSON object with the name and the arguments, or a list of them.
  case object
  /// The name, this text, and the JSON object of the arguments.
  case named(String)
  /// A list of calls in Python's notation.
  case list
}

/// The marks around a call.
package struct CallMarks: Sendable, Hashable {
  package let opening: String
  package let closing: String

  package init(opening: String, closing: String) {
    self.opening = opening
    self.closing = closing
  }
}

extension ToolCallFormat {
  /// The rules of the format.
  package var rules: any CallFormat {
    switch self {
    case .hermes: HermesFormat()
    case .llama: LlamaFormat()
    case .generic: GenericFormat()
    case .mistral: MistralFormat()
    case .mistralNamed: MistralNamedFormat()
    case .functionary: FunctionaryFormat()
    case .lfm: LFMFormat()
    case .pythonic: PythonicFormat()
    }
  }
}

extension CallFormat {
  package var defaultSelection: ToolSelection { .wholeNames }
  package var longestString: Int? { nil }
  package var notInText: [String] { [marks?.opening].compactMap { $0 } }
  package var syntax: CallSyntax { .object }
  package var takesLists: Bool { false }
  package var continuation: String { "" }

  package func choice(of name: String) -> String { " \(JSONValue.string(name).spaced)," }

  /// A call without arguments in the canonical form, of the tool of this name; nil without a name.
  func example(_ name: String?) -> String? {
    guard let name else { return nil }
    let closing = marks?.closing ?? ""
    let call = choiceTrigger + choice(of: name)
    switch syntax {
    case .list: return "\(call))]\(closing)"
    case .named where !choiceTrigger.hasSuffix(":"): return "\(call){}\(closing)"
    case .named: return "\(call) \"\(argumentsKey)\": {}}]"
    case .object: return "\(call) \"\(argumentsKey)\": {}}\(closing.isEmpty ? "" : "\n\(closing)")"
    }
  }

  /// The object of one call as the family's models were trained to write it, byte for byte up to the arguments.
  ///
  /// - Parameter tail: what may stand between the arguments and the closing brace.
  func canonicalObject(_ tools: [CallableTool], tail: GrammarExpression? = nil) -> GrammarExpression {
    let alternatives = tools.map { tool in
      GrammarExpression.sequence([
        .literal("\(JSONValue.string(tool.name).spaced), \"\(argumentsKey)\": "), .json(schema: tool.schema),
      ])
    }
    return .sequence(
      [.literal("{\"name\": "), .choice(alternatives)] + [tail].compactMap { $0 } + [.literal("}")])
  }

  /// Text, and then `calls` where the model likes; or calls without marks from the first byte on.
  func textThenCalls(_ calls: GrammarExpression, or unmarked: GrammarExpression) -> GrammarExpression {
    .choice([.sequence([.text(excluding: notInText), calls]), unmarked])
  }

  /// The object of one call with free whitespace, under either key for the arguments.
  func spelledObject(_ tools: [CallableTool]) -> GrammarExpression {
    .choice(
      tools.flatMap { tool in
        ["arguments", "parameters"].map { .json(schema: CallFormatSchema.call(of: tool, argumentsKey: $0)) }
      })
  }

  /// One or more objects without marks: as they stand, in a list, or in one or more fences. Some models double the outer
  /// braces, as a template once showed them.
  func unmarkedCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    let object = spelledObject(tools)
    let plain = list(of: object, maximum: maximum, separators: ["\n", "\n\n", "; ", ";", ", ", ",\n"])
    let listed = GrammarExpression.sequence([
      .choice([.literal("["), .literal("[\n"), .literal("[\n  "), .literal("[\n    ")]),
      list(of: object, maximum: maximum, separators: [", ", ",\n", ",", ",\n  ", ",\n    "]),
      .choice([.literal("]"), .literal("\n]")]),
    ])
    let doubled = GrammarExpression.sequence([.literal("{"), object, .literal("}")])
    let opening = GrammarExpression.choice([.literal("```json\n"), .literal("```\n"), .literal("```tool_call\n")])
    let fenced = GrammarExpression.sequence([opening, .choice([plain, listed, doubled]), .literal("\n```")])
    return .choice([plain, listed, doubled, list(of: fenced, maximum: maximum, separators: ["\n", "\n\n"])])
  }

  /// Calls without marks, as JSON objects or as a list in Python's notation.
  func unmarkedOrListedCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    .choice([unmarkedCalls(tools, maximum: maximum), PythonCalls.list(tools, maximum: maximum)])
  }

  /// From 1 to `maximum` of `item`, with any of the separators between two.
  func list(of item: GrammarExpression, maximum: Int, separators: [String]) -> GrammarExpression {
    let next = GrammarExpression.sequence([.choice(separators.map { .literal($0) }), item])
    return .sequence([item, .repeated(next, min: 0, max: max(maximum - 1, 0), separator: "")])
  }
}

/// Schemas of whole calls.
enum CallFormatSchema {
  /// `{"name": tool, argumentsKey: {…}}` as a schema.
  static func call(of tool: CallableTool, argumentsKey: String) -> JSONValue {
    var name = JSONObject()
    name["const"] = .string(tool.name)
    var properties = JSONObject()
    properties["name"] = .object(name)
    properties[argumentsKey] = rebased(tool.schema, onto: "#/properties/\(argumentsKey)")
    var schema = JSONObject()
    schema["type"] = .string("object")
    schema["properties"] = .object(properties)
    schema["required"] = .array([.string("name"), .string(argumentsKey)])
    schema["additionalProperties"] = .boolean(false)
    return .object(schema)
  }

  /// `schema` with its references to its own root pointing to where it stands now.
  private static func rebased(_ schema: JSONValue, onto root: String) -> JSONValue {
    switch schema {
    case .array(let items): return .array(items.map { rebased($0, onto: root) })
    case .object(let object):
      var result = JSONObject()
      for (key, value) in object.members {
        if key == "$ref", case .string(let reference) = value, reference.utf8.first == UInt8(ascii: "#") {
          result[key] = .string(root + String(reference.unicodeScalars.dropFirst()))
        } else {
          result[key] = rebased(value, onto: root)
        }
      }
      return .object(result)
    default: return schema
    }
  }
}
