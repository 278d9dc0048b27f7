/// A question to the model beside the conversation, before the first token of a turn: whether the request is one for the
/// tools.
package struct CallCheck: Sendable {
  /// The conversation with the question behind the user's request.
  package let messages: [LLMMessage]
  /// The question.
  package let question: String
  /// The evidence from which on the turn is calls; see ``CallWeighing``.
  package let evidence: Double

  /// Nil when nothing is asked, or when no request stands last.
  init?(_ messages: [LLMMessage], question: String, evidence: Double) {
    guard !question.isEmpty, let last = messages.last, last.role == .user else { return nil }
    self.question = question
    self.evidence = evidence
    self.messages = messages.dropLast() + [.user(CallCheck.asking(question, behind: last.content))]
  }

  /// A request with the question behind it.
  package static func asking(_ question: String, behind request: String) -> String { "\(request)\n\n\(question)" }

  /// What may be answered: yes and no, in the spellings of a first word.
  package static let yes = ["Yes", "yes"]
  package static let no = ["No", "no"]
}
