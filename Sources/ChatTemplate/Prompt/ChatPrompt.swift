package import JSON

/// Gives conversations the form that a model was trained on: a template, what it was found to support, and the
/// normalisation that follows from that.
///
///     let prompt = try ChatPrompt(
///       source: metadata["tokenizer.chat_template"], controlTokens: Set(tokenizer.controlTokens.keys),
///       bosToken: "<|begin_of_text|>", eosToken: "<|eot_id|>", addsBOS: true)
///     let segments = try prompt.segments(messages: [.user("Hi")], tools: tools)
///
/// What the template says is kept apart from what the conversation says (`PromptSegment.isTemplate`).
package struct ChatPrompt: Sendable {
  /// Where the template in use comes from.
  package enum Origin: Sendable, Equatable {
    /// The file's metadata, or an override that the caller gave.
    case given
    /// A form of ours, chosen by the vocabulary; the reason is why the given template wasn't used, if there was one.
    case fallback(FallbackTemplate, reason: String?)
  }

  /// The template in use.
  package let template: ChatTemplate
  /// What it was found to support.
  package let traits: TemplateTraits
  package let origin: Origin
  /// The template for conversations with tools, where the file has one of its own.
  private let forTools: (template: ChatTemplate, traits: TemplateTraits)?
  /// The spellings of the BOS and EOS tokens, as templates know them.
  package var tokenVariables: JSONObject
  private let leadingBOS: String?

  /// Compiles and probes a template.
  ///
  /// - Parameters:
  ///   - source: the file's `tokenizer.chat_template`, or an override; `nil` or blank picks a form by the vocabulary.
  ///   - named: other templates of the file by name, of which `tool_use` serves conversations with tools.
  ///   - controlTokens: the spellings of the vocabulary's control tokens.
  ///   - addsBOS: whether the tokenizer itself puts the BOS token first, so that the template's is taken away.
  ///   - fallsBack: whether a form of ours may take the place of a template that can't be used.
  package init(
    source: String?, named: [String: String] = [:], controlTokens: Set<String> = [], bosToken: String? = nil,
    eosToken: String? = nil, addsBOS: Bool = false, fallsBack: Bool = true, limits: TemplateLimits = TemplateLimits()
  ) throws(ChatPromptError) {
    let variables: JSONObject = ["bos_token": .string(bosToken ?? ""), "eos_token": .string(eosToken ?? "")]
    tokenVariables = variables
    leadingBOS = addsBOS ? bosToken.flatMap { $0.isEmpty ? nil : $0 } : nil

    var given: (template: ChatTemplate, traits: TemplateTraits)?
    var reason: String?
    let plain = source ?? named["default"]
    if let plain, !plain.utf8.allSatisfy({ $0 <= 0x20 }) {
      do {
        given = try ChatPrompt.prepare(plain, variables, controlTokens, limits)
      } catch {
        guard fallsBack, FallbackTemplate.matching(controlTokens) != nil else {
          throw .unusableTemplate(name: "default", error)
        }
        reason = error.description
      }
    }
    if let given {
      (template, traits) = given
      origin = .given
    } else {
      guard fallsBack, let fallback = FallbackTemplate.matching(controlTokens) else { throw .noTemplate }
      do {
        (template, traits) = try ChatPrompt.prepare(fallback.source, variables, controlTokens, limits)
      } catch {
        throw .unusableTemplate(name: fallback.rawValue, error)
      }
      origin = .fallback(fallback, reason: reason)
    }
    forTools = named["tool_use"].flatMap { try? ChatPrompt.prepare($0, variables, controlTokens, limits) }
  }

  private static func prepare(
    _ source: String, _ variables: JSONObject, _ controlTokens: Set<String>, _ limits: TemplateLimits
  ) throws(TemplateError) -> (template: ChatTemplate, traits: TemplateTraits) {
    let template = try ChatTemplate(source: source, limits: limits)
    let values = try template.values(of: variables).values
    return (template, try TemplateProbe.traits(of: template, variables: values, controlTokens: controlTokens))
  }

  /// The traits that hold for a conversation with tools.
  package var traitsWithTools: TemplateTraits { forTools?.traits ?? traits }

  /// Whether tool definitions, calls and results have a form of the template's own; if not, they are put in words.
  package var supportsTools: Bool { traitsWithTools.supportsTools && traitsWithTools.keepsToolHistory }

  /// Whether conversations with tools have a template of their own, `tool_use` among the named ones.
  package var hasTemplateForTools: Bool { forTools != nil }

  /// How this prompt's template, or our own wording in its place, writes a call.
  package var callHint: CallHint {
    if supportsTools { return traitsWithTools.callHint }
    var hint = CallHint()
    hint.markers = [.toolCallTag, .jsonName]
    hint.argumentsKey = "arguments"
    hint.example = CallWriting.hermes.example("f", ["x": "y"])
    return hint
  }

  /// The prompt of a conversation.
  ///
  /// - Parameters:
  ///   - tools: tool definitions in the shape of the chat-completion API (`{"type": "function", "function": {…}}`).
  ///   - addGenerationPrompt: whether the beginning of the assistant's next turn follows.
  ///   - requiresCall: whether the next turn must be a call; then no sentence offers to answer without one.
  ///   - wording: the words about tools that the template leaves to us; its ``ToolWording/writing`` puts tools, calls and
  ///     results in words also where the template has a form for them.
  ///   - variables: further variables of the template, such as `date_string` or `enable_thinking`.
  /// - Throws: what the template raises or where it fails.
  package func segments(
    messages: [ChatMessage], tools: [JSONValue] = [], addGenerationPrompt: Bool = true, requiresCall: Bool = false,
    wording: ToolWording = .standard, variables extra: JSONObject = JSONObject(),
    clock: TemplateClock = .system()
  ) throws(TemplateError) -> [PromptSegment] {
    let usesTools = !tools.isEmpty || messages.contains { !$0.toolCalls.isEmpty || $0.role == "tool" }
    let (template, traits) = usesTools ? forTools ?? (template, traits) : (template, traits)
    let presents = wording.writing != nil || !(traits.supportsTools && traits.keepsToolHistory)
    let normalizer = MessageNormalizer(
      traits: traits, presentsTools: presents, wording: wording, requiresCall: requiresCall)
    let turns = normalizer.normalize(messages, tools: tools)

    var (context, weight) = try template.values(of: tokenVariables)
    let more = try template.values(of: extra)
    let none: JSONValue = traits.wantsToolList ? .array([]) : .null
    let given = tools.isEmpty || presents ? none : .array(tools)
    let definitions = try template.values(of: TemplateProbe.toolVariables(given, traits, clock))
    context.merge(more.values) { $1 }
    context.merge(definitions.values) { $1 }
    context["messages"] = .list(turns.map { $0.value(traits) })
    context["add_generation_prompt"] = .boolean(addGenerationPrompt)
    weight += more.weight + definitions.weight
    weight += turns.reduce(0) { $0 + 256 + $1.content.bytes.count + $1.toolCalls.count * 256 }
    return withoutLeadingBOS(try template.render(variables: context, clock: clock, weight: weight).segments)
  }

  /// BOS exactly once: the template's own goes where the tokenizer puts one.
  package func withoutLeadingBOS(_ segments: [PromptSegment]) -> [PromptSegment] {
    guard let bos = leadingBOS, var first = segments.first, first.isTemplate,
      first.text.utf8.starts(with: bos.utf8)
    else { return segments }
    first.text = String(decoding: Array(first.text.utf8.dropFirst(bos.utf8.count)), as: UTF8.self)
    return (first.text.isEmpty ? [] : [first]) + segments.dropFirst()
  }
}
