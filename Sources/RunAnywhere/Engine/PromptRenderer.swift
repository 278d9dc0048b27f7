package import ChatTemplate
package import JSON
package import Tools

/// Messages and tools to the text of a prompt: the chat template as the engine sees it.
package protocol PromptRenderer: Sendable {
  /// The form in which the model was trained to write calls.
  var callFormat: ToolCallFormat { get }
  /// The chat template in use, and why.
  var template: ChatTemplateInfo { get }
  /// The prompt up to where the model's turn begins.
  ///
  /// - Parameter wording: the words about tools that the template leaves to us.
  func segments(messages: [LLMMessage], tools: [JSONValue], wording: ToolWording) throws -> [PromptSegment]
}

extension PromptRenderer {
  package var template: ChatTemplateInfo {
    ChatTemplateInfo(description: "a form of the program's own", source: nil, isOwn: false)
  }
}
