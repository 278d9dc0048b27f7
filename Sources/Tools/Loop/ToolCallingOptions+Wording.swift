package import ChatTemplate

extension ToolCallingOptions {
  /// The words about tools that go into the prompt; the same in every round, so that what is cached of it stays of use.
  ///
  /// - Parameters:
  ///   - format: the form of calls that is asked for.
  ///   - own: the form that the model was trained on. Another one has to be taught in words.
  package func wording(for format: ToolCallFormat, own: ToolCallFormat) -> ToolWording {
    var wording = ToolWording.templateOnly
    if format != own { wording = wording.teaching(format.rules.writing) }
    if toolChoice == .auto { wording.abstention = guidance }
    // The generic form has one call a turn.
    if maxToolCalls > 1, format != .generic { wording.severalCalls = severalCallsGuidance }
    wording.resultRequest = asksBehindEveryResult(format, own: own) ? answerRequest : ""
    return wording
  }

  /// Whether the request for an answer stands behind every result: for models whose template knows no tools.
  func asksBehindEveryResult(_ format: ToolCallFormat, own: ToolCallFormat) -> Bool {
    own == .generic || format == .generic
  }
}
