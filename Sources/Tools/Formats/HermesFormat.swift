package import ChatTemplate
package import Grammar

/// `<tool_call>` … `</tool_call>` around `{"name": …, "arguments": …}`: Hermes, Qwen2.5, Qwen3, Granite.
///
/// Several calls follow each other, one in each pair of tags. Text may come before the first.
package struct HermesFormat: CallFormat {
  package init() {}

  package var kind: ToolCallFormat { .hermes }
  package var argumentsKey: String { "arguments" }
  package var marks: CallMarks? { CallMarks(opening: "<tool_call>", closing: "</tool_call>") }

  package var notInText: [String] { ["<tool_call>", "</tool_call", "<tool_response", "</tool_response", "<tools>"] }
  package var choiceTrigger: String { "<tool_call>\n{\"name\":" }

  package var continuation: String { "\n<tool_call>" }
  package var writing: CallWriting { .hermes }

  package func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    let call = GrammarExpression.sequence([
      .control("<tool_call>"), .literal("\n"), canonicalObject(tools), .literal("\n"), .control("</tool_call>"),
    ])
    return .repeated(call, min: 1, max: maximum, separator: "\n")
  }

  package func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    let blank = GrammarExpression.choice([.literal("\n"), .literal("")])
    let tagged = GrammarExpression.sequence([
      .control("<tool_call>"), blank, spelledObject(tools), blank, .control("</tool_call>"),
    ])
    return textThenCalls(
      .repeated(tagged, min: 1, max: maximum, separator: "\n"), or: unmarkedCalls(tools, maximum: maximum))
  }
}
