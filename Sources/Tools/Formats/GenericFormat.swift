package import Grammar

/// The form for models whose template knows no tools: the prompt describes Hermes' form, and the grammar holds the
/// model to it.
///
/// It differs from ``HermesFormat`` in that the tags are plain text for the vocabulary.
package struct GenericFormat: CallFormat {
  private let hermes = HermesFormat()

  package init() {}

  package var kind: ToolCallFormat { .generic }
  package var argumentsKey: String { hermes.argumentsKey }
  package var marks: CallMarks? { hermes.marks }

  package func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    hermes.canonicalCalls(tools, maximum: maximum)
  }

  package func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    hermes.spelledCalls(tools, maximum: maximum)
  }
}
