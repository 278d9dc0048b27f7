package import ChatTemplate
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

  package var notInText: [String] { hermes.notInText }
  package var choiceTrigger: String { hermes.choiceTrigger }
  package var continuation: String { hermes.continuation }
  package var defaultSelection: ToolSelection { .calibrated }
  package var writing: CallWriting { hermes.writing }

  /// Small models ramble in strings; what is useful is shorter.
  package var longestString: Int? { 128 }

  /// One call a turn: models that were not trained on calls repeat themselves when more are allowed.
  package func canonicalCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    hermes.canonicalCalls(tools, maximum: min(maximum, 1))
  }

  package func spelledCalls(_ tools: [CallableTool], maximum: Int) -> GrammarExpression {
    hermes.spelledCalls(tools, maximum: min(maximum, 1))
  }
}
