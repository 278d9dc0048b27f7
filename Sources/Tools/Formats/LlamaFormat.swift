package import ChatTemplate
package import Grammar

/// `{"name": …, "parameters": …}` as the whole answer: Llama 3.1, 3.2 and 3.3 with their JSON prompt.
///
/// Several calls are separated by `; `. `<|python_tag|>` may come before. The small ones also write a list of calls in
/// Python's notation, as another prompt of theirs has it (``PythonicFormat``).
package struct LlamaFormat: CallFormat {
  package init() {}

  package var kind: ToolCallFormat { .llama }
  package var argumentsKey: String { "parameters" }
  package var marks: CallMarks? { CallMarks(opening: "<|python_tag|>", closing: "") }

  package var takesLists: Bool { true }
  package var choiceTrigger: String { "{\"name\":" }

  package var continuation: String { "; {\"" }
  package var writing: CallWriting { CallWriting(.object(argumentsKey: argumentsKey), separator: "; ") }

  package func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    .repeated(canonicalObject(tools), min: 1, max: maximum, separator: "; ")
  }

  package func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    let calls = unmarkedOrListedCalls(tools, maximum: maximum)
    return .choice([calls, .sequence([.control("<|python_tag|>"), calls])])
  }
}
