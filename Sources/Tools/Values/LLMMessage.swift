/// One turn of a conversation.
public struct LLMMessage: Sendable, Hashable {
  /// Who speaks in a turn.
  public enum Role: String, Sendable, Hashable, Codable {
    /// Instructions of the program.
    case system
    /// The user.
    case user
    /// The model.
    case assistant
    /// The result of a tool call.
    case tool
  }

  /// Who speaks.
  public var role: Role
  /// What is said; of a tool's turn the result as JSON text.
  public var content: String
  /// The calls of an assistant's turn.
  public var toolCalls: [ToolCall]
  /// The call that a tool's turn answers.
  public var toolCallId: String?
  /// The tool that a tool's turn comes from.
  public var toolName: String?

  /// A turn of a conversation.
  public init(
    role: Role, content: String, toolCalls: [ToolCall] = [], toolCallId: String? = nil, toolName: String? = nil
  ) {
    self.role = role
    self.content = content
    self.toolCalls = toolCalls
    self.toolCallId = toolCallId
    self.toolName = toolName
  }

  /// A system turn.
  public static func system(_ text: String) -> LLMMessage { LLMMessage(role: .system, content: text) }
  /// A user's turn.
  public static func user(_ text: String) -> LLMMessage { LLMMessage(role: .user, content: text) }
  /// A model's turn.
  public static func assistant(_ text: String) -> LLMMessage { LLMMessage(role: .assistant, content: text) }
}
