import ChatTemplate
import JSON
import RunAnywhere
import Tools

/// A vocabulary for tests: the 256 bytes, a few longer tokens, and ChatML's control tokens.
struct ByteCodec: TextCodec {
  static let words = [
    "{\"", "\":", "\"}", "\"},", "\"\"", "the ", "ing", "city", "name\": \"", "  ", "🌧️", "get_", "weather",
  ]
  static let start = 300
  static let end = 301
  static let endOfText = 302
  static let stray = 303

  let controlTokens = [
    "<|im_start|>": ByteCodec.start, "<|im_end|>": ByteCodec.end, "<|endoftext|>": ByteCodec.endOfText,
    "<|fim_middle|>": ByteCodec.stray,
  ]
  var vocabularySize: Int { 304 }
  var controlIDs: Set<Int> { Set(controlTokens.values) }
  var endOfTurn: Set<Int> { [ByteCodec.end, ByteCodec.endOfText] }
  var leading: Int?

  func bytes(of id: Int) -> [UInt8] {
    if id < 256 { return id >= 0 ? [UInt8(id)] : [] }
    let index = id - 256
    return index < ByteCodec.words.count ? Array(ByteCodec.words[index].utf8) : []
  }

  func spelling(of id: Int) -> [UInt8] {
    controlTokens.first { $0.value == id }.map { Array($0.key.utf8) } ?? bytes(of: id)
  }

  func encode(_ segments: [PromptSegment]) -> [Int] {
    segments.flatMap { segment -> [Int] in
      guard segment.isTemplate else { return encode(bytes: Array(segment.text.utf8)) }
      var ids: [Int] = []
      var plain: [UInt8] = []
      var rest = Array(segment.text.utf8)[...]
      while let first = rest.first {
        if let control = controlTokens.first(where: { rest.starts(with: $0.key.utf8) }) {
          ids += encode(bytes: plain) + [control.value]
          plain = []
          rest = rest.dropFirst(control.key.utf8.count)
        } else {
          plain.append(first)
          rest = rest.dropFirst()
        }
      }
      return ids + encode(bytes: plain)
    }
  }

  /// Greedy: the longest token at every place.
  func encode(bytes: [UInt8]) -> [Int] {
    var ids: [Int] = []
    var rest = bytes[...]
    let words = ByteCodec.words.enumerated().sorted { $0.element.utf8.count > $1.element.utf8.count }
    while let first = rest.first {
      if let word = words.first(where: { rest.starts(with: $0.element.utf8) }) {
        ids.append(256 + word.offset)
        rest = rest.dropFirst(word.element.utf8.count)
      } else {
        ids.append(Int(first))
        rest = rest.dropFirst()
      }
    }
    return ids
  }
}

/// ChatML, with the tools as a line of the system turn.
struct PlainRenderer: PromptRenderer {
  var callFormat = ToolCallFormat.hermes

  func segments(messages: [LLMMessage], tools: [JSONValue], wording: ToolWording) throws -> [PromptSegment] {
    var segments: [PromptSegment] = []
    func add(_ role: String, _ text: String) {
      segments.append(PromptSegment(text: "<|im_start|>\(role)\n", isTemplate: true))
      segments.append(PromptSegment(text: text, isTemplate: false))
      segments.append(PromptSegment(text: "<|im_end|>\n", isTemplate: true))
    }
    if !tools.isEmpty { add("tools", tools.map(\.spaced).joined(separator: "\n")) }
    for message in messages {
      let calls = message.toolCalls.map { "\($0)" }.joined(separator: "\n")
      add(message.role.rawValue, message.content + calls)
    }
    segments.append(PromptSegment(text: "<|im_start|>assistant\n", isTemplate: true))
    return segments
  }
}
