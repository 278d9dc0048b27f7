package import ChatTemplate
package import Grammar

/// `<function=name>{…}</function>`: Functionary 3.1.
///
/// Several calls follow each other. Text may come before the first.
package struct FunctionaryFormat: CallFormat {
  package init() {}

  package var kind: ToolCallFormat { .functionary }
  package var argumentsKey: String { "arguments" }
  package var marks: CallMarks? { CallMarks(opening: "<function=", closing: "</function>") }
  package var syntax: CallSyntax { .named(">") }
  package var notInText: [String] { ["<function=", "</function>"] }
  package var choiceTrigger: String { "<function=" }
  package var continuation: String { "<function=" }
  package var writing: CallWriting {
    CallWriting(.named(">"), opening: "<function=", separator: "</function><function=", closing: "</function>")
  }

  package func choice(of name: String) -> String { "\(name)>" }

  package func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    .repeated(call(tools), min: 1, max: maximum, separator: "")
  }

  package func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    textThenCalls(
      list(of: call(tools), maximum: maximum, separators: ["", "\n"]), or: unmarkedCalls(tools, maximum: maximum))
  }

  private func call(_ tools: [CallableTool]) -> GrammarExpression {
    let alternatives = tools.map { tool in
      GrammarExpression.sequence([.literal("\(tool.name)>"), .json(schema: tool.schema)])
    }
    return .sequence([.literal("<function="), .choice(alternatives), .literal("</function>")])
  }
}
