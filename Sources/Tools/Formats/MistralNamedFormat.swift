package import ChatTemplate
package import Grammar

/// `[TOOL_CALLS]name[ARGS]{…}`: Mistral Small 3.2, Devstral, Ministral 3.
///
/// Several calls follow each other, each with its marks. Text may come before. Some templates put `[CALL_ID]` and an id
/// before the arguments.
package struct MistralNamedFormat: CallFormat {
  package init() {}

  package var kind: ToolCallFormat { .mistralNamed }
  package var argumentsKey: String { "arguments" }
  package var marks: CallMarks? { CallMarks(opening: "[TOOL_CALLS]", closing: "") }
  package var syntax: CallSyntax { .named("[ARGS]") }
  package var notInText: [String] { ["[TOOL_CALLS]", "[ARGS]", "[TOOL_RESULTS]", "[AVAILABLE_TOOLS]"] }
  package var choiceTrigger: String { "[TOOL_CALLS]" }
  package var continuation: String { "[TOOL_CALLS]" }
  package var writing: CallWriting { CallWriting(.named("[ARGS]"), opening: "[TOOL_CALLS]", separator: "[TOOL_CALLS]") }

  package func choice(of name: String) -> String { "\(name)[ARGS]" }

  package func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    .repeated(call(tools), min: 1, max: maximum, separator: "")
  }

  package func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    let identifier = GrammarExpression.choice([
      .literal(""), .sequence([.control("[CALL_ID]"), .regex("[a-zA-Z0-9]{1,40}")]),
    ])
    return textThenCalls(
      .repeated(call(tools, identifier: identifier), min: 1, max: maximum, separator: ""),
      or: unmarkedCalls(tools, maximum: maximum))
  }

  private func call(_ tools: [CallableTool], identifier: GrammarExpression = .literal("")) -> GrammarExpression {
    let alternatives = tools.map { tool in
      GrammarExpression.sequence([
        .literal(tool.name), identifier, .control("[ARGS]"), .json(schema: tool.schema),
      ])
    }
    return .sequence([.control("[TOOL_CALLS]"), .choice(alternatives)])
  }
}
