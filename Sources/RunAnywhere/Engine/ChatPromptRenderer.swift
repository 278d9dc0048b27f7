import ChatTemplate
import GGUF
import JSON
import Tokenizer
import Tools
struct ChatPromptRenderer: PromptRenderer {
  let callFormat: ToolCallFormat = .hermes
  init(file: GGUFFile, tokenizer: Tokenizer) throws {}
  func segments(messages: [LLMMessage], tools: [JSONValue], guidance: String?) throws -> [PromptSegment] { [] }
}
