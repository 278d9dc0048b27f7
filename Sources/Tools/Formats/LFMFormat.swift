package import ChatTemplate
package import Grammar

/// `<|tool_call_start|>[name(key='value')]<|tool_call_end|>`: LFM2.
///
/// Several calls stand in the one list. Text may come before.
package struct LFMFormat: CallFormat {
  package init() {}

  package var kind: ToolCallFormat { .lfm }
  package var argumentsKey: String { "arguments" }
  package var marks: CallMarks? { CallMarks(opening: "<|tool_call_start|>", closing: "<|tool_call_end|>") }
  package var syntax: CallSyntax { .list }
  package var takesLists: Bool { true }
  package var notInText: [String] { ["<|tool_call_start|>", "<|tool_call_end|>", "<|tool_response_start|>"] }
  package var choiceTrigger: String { "<|tool_call_start|>[" }
  package var writing: CallWriting { .lfm }

  package func choice(of name: String) -> String { "\(name)(" }

  package func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    .sequence([
      .control("<|tool_call_start|>"), PythonCalls.list(tools, maximum: maximum), .control("<|tool_call_end|>"),
    ])
  }

  package func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    let calls = unmarkedOrListedCalls(tools, maximum: maximum)
    return textThenCalls(
      .sequence([.control("<|tool_call_start|>"), calls, .control("<|tool_call_end|>")]), or: calls)
  }
}
