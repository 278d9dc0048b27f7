/// Why a conversation cannot be given the form of a prompt.
package enum ChatPromptError: Error, Sendable, Equatable {
  /// The file has no template, and its vocabulary belongs to no form that we know.
  case noTemplate
  /// The template doesn't compile, fails on the smallest conversation, or doesn't print it.
  case unusableTemplate(name: String, TemplateError)
}

extension ChatPromptError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noTemplate:
      "the file has no chat template (tokenizer.chat_template), and its vocabulary has the control tokens of neither "
        + "Llama-3 nor ChatML; give a template, or use plain completion"
    case .unusableTemplate(let name, let error): "the chat template '\(name)' cannot be used: \(error)"
    }
  }
}
