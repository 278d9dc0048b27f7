package import ChatTemplate
package import Grammar

/// `[name(key='value'), other()]` as the whole answer: Llama 3.2 with the prompt that Meta gives for its small models.
package struct PythonicFormat: CallFormat {
  package init() {}

  package var kind: ToolCallFormat { .pythonic }
  package var argumentsKey: String { "parameters" }
  package var marks: CallMarks? { CallMarks(opening: "<|python_tag|>", closing: "") }
  package var syntax: CallSyntax { .list }
  package var takesLists: Bool { true }
  package var choiceTrigger: String { "[" }
  package var writing: CallWriting { CallWriting(.python, opening: "[", separator: ", ", closing: "]") }

  package func choice(of name: String) -> String { "\(name)(" }

  package func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    PythonCalls.list(tools, maximum: maximum)
  }

  package func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    LlamaFormat().spelledCalls(tools, maximum: maximum)
  }
}
