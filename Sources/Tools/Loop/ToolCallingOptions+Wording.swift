package import ChatTemplate

extension ToolCallingOptions {
  /// The words about tools that go into the prompt; the same in every round, so that what is cached of it stays of use.
  package func wording(for format: ToolCallFormat) -> ToolWording {
    var wording = ToolWording.templateOnly
    if toolChoice == .auto { wording.abstention = guidance }
    // The generic form has one call a turn.
    if maxToolCalls > 1, format != .generic { wording.severalCalls = severalCallsGuidance }
    wording.resultRequest = answerRequest
    return wording
  }
}
