package import ChatTemplate
package import Grammar

/// `[TOOL_CALLS][{"name": …, "arguments": …, "id": …}]`: Mistral Nemo, Mistral 7B v0.3.
///
/// Several calls stand in the one list. Text may come before. The id, nine letters and digits, is the model's own and may be
/// left out; calls get ids of ours in any case.
package struct MistralFormat: CallFormat {
  package init() {}

  package var kind: ToolCallFormat { .mistral }
  package var argumentsKey: String { "arguments" }
  package var marks: CallMarks? { CallMarks(opening: "[TOOL_CALLS]", closing: "") }
  /// What newer models of the family write in the list's place is read as well.
  package var syntax: CallSyntax { .named("[ARGS]") }
  package var notInText: [String] { ["[TOOL_CALLS]", "[TOOL_RESULTS]", "[AVAILABLE_TOOLS]"] }
  package var choiceTrigger: String { "[TOOL_CALLS][{\"name\":" }
  package var writing: CallWriting {
    CallWriting(.object(argumentsKey: argumentsKey), opening: "[TOOL_CALLS][", separator: ", ", closing: "]")
  }

  /// What may stand behind the arguments.
  private static let identifier = GrammarExpression.choice([
    .literal(""), .sequence([.literal(", \"id\": \""), .regex("[a-zA-Z0-9]{9}"), .literal("\"")]),
  ])

  package func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    .sequence([
      .control("[TOOL_CALLS]"), .literal("["),
      .repeated(canonicalObject(tools, tail: Self.identifier), min: 1, max: maximum, separator: ", "), .literal("]"),
    ])
  }

  package func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    let blank = GrammarExpression.choice([.literal(""), .literal(" ")])
    let object = GrammarExpression.choice([canonicalObject(tools, tail: Self.identifier), spelledObject(tools)])
    let listed = GrammarExpression.sequence([
      .literal("["), list(of: object, maximum: maximum, separators: [", ", ",", ",\n"]), .literal("]"),
    ])
    return textThenCalls(
      .sequence([.control("[TOOL_CALLS]"), blank, listed]), or: unmarkedCalls(tools, maximum: maximum))
  }
}
