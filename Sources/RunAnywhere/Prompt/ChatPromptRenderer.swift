import ChatTemplate
import GGUF
import JSON
import Tokenizer
import Tools

/// The chat template of a model's file as the engine sees it.
struct ChatPromptRenderer: PromptRenderer {
  private let prompt: Result<ChatPrompt, ChatPromptError>
  let callFormat: ToolCallFormat
  let template: ChatTemplateInfo

  /// The renderer for a file. One without a usable template still serves plain completion; chats then throw.
  ///
  /// - Throws: ``SDKError`` with `.invalidInput` when `choice` is the program's own and can't be used.
  init(file: GGUFFile, tokenizer: Tokenizer, template choice: ChatTemplateSource) throws {
    do {
      let (prompt, info) = try ModelTemplates(file).prompt(choice, tokenizer: tokenizer)
      self.prompt = .success(prompt)
      template = info
      callFormat = prompt.callFormat
    } catch let error as ChatPromptError {
      prompt = .failure(error)
      template = ChatTemplateInfo(description: "none: \(error)", source: nil, isOwn: false)
      callFormat = .generic
    }
  }

  func segments(messages: [LLMMessage], tools: [JSONValue], wording: ToolWording) throws -> [PromptSegment] {
    try prompt.get().segments(messages.map(ChatMessage.init), tools: tools, wording: wording)
  }
}

extension ChatPrompt {
  /// The form in which the model is held to calls: the template's where there are rules for it, otherwise our own.
  var callFormat: ToolCallFormat {
    switch supportsTools ? callHint.family : .other {
    case .hermes: .hermes
    case .llama: .llama
    case .mistralArray: .mistral
    case .mistralArguments: .mistralNamed
    case .pythonic: .lfm
    case .functionTag: .functionary
    case .other: .generic
    }
  }

  /// The prompt as the engine wants it: in the template's own form of calls where there are rules for it and no other is
  /// asked for, and with the words of the options.
  func segments(
    _ messages: [ChatMessage], tools: [JSONValue], wording: ToolWording, addGenerationPrompt: Bool = true,
    variables: JSONObject = JSONObject(), clock: TemplateClock = .system()
  ) throws(TemplateError) -> [PromptSegment] {
    var wording = wording
    if callFormat == .generic, wording.writing == nil { wording.writing = .hermes }
    return try segments(
      messages: messages, tools: tools, addGenerationPrompt: addGenerationPrompt, wording: wording,
      variables: variables, clock: clock)
  }
}

extension ChatMessage {
  /// A turn in the template's terms.
  init(_ message: LLMMessage) {
    self.init(
      role: message.role.rawValue, content: message.content,
      toolCalls: message.toolCalls.map {
        ToolCall(id: $0.id, name: $0.toolName, arguments: .object($0.written))
      }, toolCallID: message.toolCallId, name: message.toolName)
  }
}
