public import Tools

/// What of a prompt's tokens is still there in the prompt of the next turn, and where they first differ.
///
/// ```swift
/// let change = try model.promptChange(from: [question], to: [question, answer, next])
/// if !change.keepsPrefix { print(change) }   // "keeps 12 of 40 tokens; then "<think>" becomes "Paris"
/// ```
///
/// The engine computes only what stands behind the shared tokens; the KV cache of those before is used again.
public struct PromptChange: Sendable, Hashable {
  /// The tokens of the prompt before.
  public let before: Int
  /// The tokens of the prompt after.
  public let after: Int
  /// How many tokens both begin with.
  public let shared: Int
  /// What stood at the first difference; empty when nothing was changed.
  public private(set) var removed = ""
  /// What stands there now.
  public private(set) var inserted = ""

  /// Whether the prompt after begins with all of the prompt before.
  public var keepsPrefix: Bool { shared == before }

  /// How two lists of tokens begin alike.
  ///
  /// - Complexity: proportional to what they share.
  package init(from old: [Int], to new: [Int]) {
    var shared = 0
    let limit = min(old.count, new.count)
    while shared < limit, old[shared] == new[shared] { shared += 1 }
    (before, after, self.shared) = (old.count, new.count, shared)
  }

  /// The same with the texts at the first difference, as `text` decodes them.
  package init(from old: [Int], to new: [Int], text: ([Int]) -> String) {
    self.init(from: old, to: new)
    removed = text(Array(old[shared...].prefix(PromptChange.shownTokens)))
    inserted = text(Array(new[shared...].prefix(PromptChange.shownTokens)))
  }

  private static let shownTokens = 8
}

extension PromptChange: CustomStringConvertible {
  /// The change in a line.
  public var description: String {
    keepsPrefix
      ? "keeps all \(before) tokens and adds \(after - before)"
      : "keeps \(shared) of \(before) tokens; then \(removed.debugDescription) becomes \(inserted.debugDescription)"
  }
}

extension LanguageModel {
  /// What of a conversation's prompt is still there when it has gone on to `later`: all of it, unless the template writes
  /// earlier turns in another way once others follow.
  ///
  /// - Throws: ``SDKError`` when the model has no chat template, or it refuses one of the conversations.
  public func promptChange(
    from earlier: [LLMMessage], to later: [LLMMessage], tools: [ToolDefinition] = []
  ) throws -> PromptChange {
    do {
      return try engine.promptChange(from: earlier, to: later, tools: tools)
    } catch {
      throw SDKError(mapping: error)
    }
  }

  /// The chat template in use, and why.
  public var chatTemplate: ChatTemplateInfo { engine.renderer.template }
}

extension Engine {
  func promptChange(
    from earlier: [LLMMessage], to later: [LLMMessage], tools: [ToolDefinition]
  ) throws -> PromptChange {
    func ids(_ messages: [LLMMessage]) throws -> [Int] {
      let segments = try renderer.segments(
        messages: messages, tools: tools.map(\.openAIForm),
        wording: ToolCallingOptions().wording(for: renderer.callFormat, own: renderer.callFormat))
      return Engine.ids(of: segments, codec: codec)
    }
    let codec = codec
    return PromptChange(from: try ids(earlier), to: try ids(later)) { ids in
      String(decoding: ids.flatMap { codec.spelling(of: $0) }, as: UTF8.self)
    }
  }
}
