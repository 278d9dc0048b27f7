package import JSON

/// One turn of a conversation, before a template gives it a form.
package struct ChatMessage: Sendable, Equatable {
  /// A tool call that the model made in an assistant turn.
  package struct ToolCall: Sendable, Equatable {
    package var id: String
    package var name: String
    /// An object; a string that holds JSON is accepted and read.
    package var arguments: JSONValue

    package init(id: String, name: String, arguments: JSONValue) {
      self.id = id
      self.name = name
      self.arguments = arguments
    }
  }

  /// `system`, `user`, `assistant` or `tool`; `developer` counts as `system`.
  package var role: String
  package var content: String
  /// The calls of an assistant turn.
  package var toolCalls: [ToolCall]
  /// In a tool's turn: the call that this is the result of.
  package var toolCallID: String?
  /// In a tool's turn: the tool's name.
  package var name: String?

  package init(
    role: String, content: String, toolCalls: [ToolCall] = [], toolCallID: String? = nil, name: String? = nil
  ) {
    self.role = role
    self.content = content
    self.toolCalls = toolCalls
    self.toolCallID = toolCallID
    self.name = name
  }

  package static func system(_ content: String) -> ChatMessage { ChatMessage(role: "system", content: content) }

  package static func user(_ content: String) -> ChatMessage { ChatMessage(role: "user", content: content) }

  package static func assistant(_ content: String, toolCalls: [ToolCall] = []) -> ChatMessage {
    ChatMessage(role: "assistant", content: content, toolCalls: toolCalls)
  }

  package static func tool(_ content: String, callID: String? = nil, name: String? = nil) -> ChatMessage {
    ChatMessage(role: "tool", content: content, toolCallID: callID, name: name)
  }
}
