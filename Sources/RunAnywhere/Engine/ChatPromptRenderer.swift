import ChatTemplate
import GGUF
import JSON
import Tokenizer
import Tools

/// The chat template of a model's file as the engine sees it.
struct ChatPromptRenderer: PromptRenderer {
  private let prompt: Result<ChatPrompt, ChatPromptError>
  let callFormat: ToolCallFormat

  /// The renderer for a file. One without a usable template still serves plain completion; chats then throw.
  init(file: GGUFFile, tokenizer: Tokenizer) {
    let metadata = file.metadata
    let source = try? metadata.string("tokenizer.chat_template")
    let forTools = try? metadata.string("tokenizer.chat_template.tool_use")
    let result: Result<ChatPrompt, ChatPromptError>
    do throws(ChatPromptError) {
      result = .success(
        try ChatPrompt(
          source: source, named: forTools.map { ["tool_use": $0] } ?? [:],
          controlTokens: Set(tokenizer.controlTokens.keys), bosToken: ChatPromptRenderer.text(tokenizer.bos, tokenizer),
          eosToken: ChatPromptRenderer.text(tokenizer.eos, tokenizer), addsBOS: tokenizer.addsBOS))
    } catch {
      result = .failure(error)
    }
    prompt = result
    callFormat = (try? result.get()).map(ChatPromptRenderer.format) ?? .generic
  }

  func segments(messages: [LLMMessage], tools: [JSONValue], guidance: String?) throws -> [PromptSegment] {
    var wording = ToolWording.standard
    wording.abstention = guidance
    return try prompt.get().segments(
      messages: messages.map(ChatMessage.init), tools: tools, requiresCall: guidance == nil, wording: wording)
  }

  private static func text(_ id: Int?, _ tokenizer: Tokenizer) -> String? {
    id.map { String(decoding: tokenizer.bytes(of: $0, showsControl: true), as: UTF8.self) }
  }

  /// The form in which the template writes calls; our own where it writes none.
  private static func format(_ prompt: ChatPrompt) -> ToolCallFormat {
    guard prompt.supportsTools else { return .generic }
    let hint = prompt.callHint
    switch hint.markers.first {
    case .jsonName: return hint.argumentsKey == "parameters" ? .llama : .hermes
    case .toolCallTag: return .hermes
    default: return .generic
    }
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
