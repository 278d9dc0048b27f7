package import ChatTemplate
package import GGUF
package import JSON
package import Tokenizer
package import Tools

/// The prompt that a conversation becomes, as the engine would give it to a model; works on files without weights, and
/// with a template alone.
package struct PromptInspection: Sendable {
  /// What the prompt is made of, beside the conversation.
  package struct Options: Sendable {
    /// The sentence about when not to call that goes with tools; nil leaves it out.
    package var guidance: String? = ToolCallingOptions.defaultGuidance
    /// Whether the beginning of the assistant's turn follows.
    package var addsGenerationPrompt = true
    /// Whether messages and tools reach the template as they stand, without what the engine makes of them.
    package var isRaw = false
    /// The form of calls that is asked for; nil takes the model's own.
    package var callFormat: ToolCallFormat?
    /// Further variables of the template.
    package var variables = JSONObject()
    package var clock = TemplateClock.system()

    package init() {}

    /// Makes `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ss` the time of the rendering; false when `text` is neither.
    package mutating func stopClock(at text: String) -> Bool {
      guard let clock = TemplateClock(text) else { return false }
      self.clock = clock
      return true
    }
  }

  /// The messages are not in the shape of the chat-completion API.
  package struct UnreadableMessages: Error, CustomStringConvertible {
    package let description: String
  }

  /// A prompt and what it consists of.
  package struct Rendering: Sendable {
    package let segments: [PromptSegment]
    /// The ids, where there is a vocabulary.
    package let ids: [Int]?
    /// The whole text, with the token that the tokenizer puts first.
    package let text: String

    /// The pieces as JSON, each with where its text comes from.
    package var pieces: JSONValue {
      .array(
        segments.map { ["from": $0.isTemplate ? "template" : "conversation", "text": .string($0.text)] })
    }
  }

  /// How the prompt of a conversation grows by one answer and what follows it.
  package struct Step: Sendable {
    /// The number of messages in the longer conversation.
    package let messages: Int
    package let change: PromptChange
  }

  /// The template in use, and why.
  package let template: ChatTemplateInfo
  private let prompt: ChatPrompt
  private let codec: TokenizerCodec?

  /// The prompts of the model in a file.
  package init(path: String, template choice: ChatTemplateSource = .automatic) throws {
    let file = try GGUFFile(path: path)
    try self.init(file, tokenizer: Tokenizer(file), template: choice)
  }

  package init(_ file: GGUFFile, tokenizer: Tokenizer, template choice: ChatTemplateSource) throws {
    (prompt, template) = try ModelTemplates(file).prompt(choice, tokenizer: tokenizer)
    codec = TokenizerCodec(tokenizer)
  }

  /// The prompts of a template without a model; `origin` says where it comes from.
  package init(source: String, origin: String) throws {
    prompt = try ModelTemplates.insisting(on: origin) { try ChatPrompt(source: source, fallsBack: false) }
    template = ChatTemplateInfo(description: origin, source: source, isOwn: false)
    codec = nil
  }

  /// Whether there are ids to prompts.
  package var hasVocabulary: Bool { codec != nil }

  /// The form in which calls are expected in answers to these prompts.
  package var callFormat: ToolCallFormat { prompt.callFormat }

  /// The prompt of a conversation in the shape of the chat-completion API.
  ///
  /// - Parameters:
  ///   - messages: a list of messages, or an object with one.
  ///   - tools: the tools in the same shape.
  /// - Throws: ``UnreadableMessages``, `TemplateError`.
  package func render(_ messages: JSONValue, tools: [JSONValue], options: Options) throws -> Rendering {
    guard options.isRaw else {
      return try render(try turns(messages), tools: tools, options: options)
    }
    var context: JSONObject = [
      "messages": messages["messages"] ?? messages, "tools": tools.isEmpty ? .null : .array(tools),
      "documents": .null, "add_generation_prompt": .boolean(options.addsGenerationPrompt),
    ]
    for (name, value) in prompt.tokenVariables.members + options.variables.members { context[name] = value }
    return rendering(prompt.withoutLeadingBOS(try prompt.template.render(context, clock: options.clock)))
  }

  /// How the prompt grows from answer to answer.
  package func growth(_ messages: JSONValue, tools: [JSONValue], options: Options) throws -> [Step] {
    let turns = try turns(messages)
    let cuts = turns.indices.dropFirst().filter { turns[$0].role == "assistant" } + [turns.count]
    var steps: [Step] = []
    var last: [Int]?
    for cut in cuts {
      var options = options
      options.addsGenerationPrompt = turns[cut - 1].role != "assistant"
      let rendering = try render(Array(turns[..<cut]), tools: tools, options: options)
      // Without a vocabulary bytes are counted.
      let ids = rendering.ids ?? rendering.text.utf8.map(Int.init)
      if let last { steps.append(Step(messages: cut, change: PromptChange(from: last, to: ids, text: text))) }
      last = ids
    }
    return steps
  }

  private func turns(_ messages: JSONValue) throws(UnreadableMessages) -> [ChatMessage] {
    do {
      return try ChatMessage.conversation(messages)
    } catch {
      throw UnreadableMessages(description: error.description)
    }
  }

  private func render(_ messages: [ChatMessage], tools: [JSONValue], options: Options) throws -> Rendering {
    let choice = options.guidance == nil ? ToolChoice.required : .auto
    let words = ToolCallingOptions(toolChoice: choice, guidance: options.guidance ?? "")
      .wording(for: options.callFormat ?? prompt.callFormat, own: prompt.callFormat)
    return rendering(
      try prompt.segments(
        messages, tools: tools, wording: words, addGenerationPrompt: options.addsGenerationPrompt,
        variables: options.variables, clock: options.clock))
  }

  private func rendering(_ segments: [PromptSegment]) -> Rendering {
    guard let codec else { return Rendering(segments: segments, ids: nil, text: segments.text) }
    let ids = Engine.ids(of: segments, codec: codec)
    var segments = segments
    if let leading = codec.leading, ids.first == leading, codec.encode(segments).first != leading {
      segments.insert(
        PromptSegment(text: String(decoding: codec.spelling(of: leading), as: UTF8.self), isTemplate: true), at: 0)
    }
    return Rendering(segments: segments, ids: ids, text: segments.text)
  }

  private func text(_ ids: [Int]) -> String {
    let bytes =
      codec.map { codec in ids.flatMap { codec.spelling(of: $0) } } ?? ids.map { UInt8(truncatingIfNeeded: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
