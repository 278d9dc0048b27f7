package import ChatTemplate
package import JSON

/// What produces the model's turns for a ``ToolLoop``: the engine, or a script in tests. It knows nothing of tool
/// execution, and the loop knows nothing of tokens.
package protocol Generator: Sendable {
  /// The form in which the model writes calls.
  var callFormat: ToolCallFormat { get }

  /// Generates one turn.
  ///
  /// `onText` receives the turn as it grows, in order, whole characters at a time, control marks of calls included; it
  /// has been called with everything when `generate` returns.
  func generate(_ request: TurnRequest, onText: @escaping @Sendable (String) -> Void) async throws -> GeneratedTurn
}

/// What a turn is generated from.
package struct TurnRequest: Sendable {
  package var messages: [LLMMessage]
  /// The conversation to answer instead, when the turn is an answer but the model would nearly have called again.
  package var messagesForAnswer: [LLMMessage]?
  /// The conversation to answer instead where the prompt is to be without tools; nil is ``messages``.
  package var messagesWithoutTools: [LLMMessage]?
  /// What is asked before the choice between an answer and calls.
  package var check: CallCheck?
  /// Tools in the OpenAI shape, for the template; empty when none are to be mentioned.
  package var tools: [JSONValue]
  /// The words about tools that the template leaves to us.
  package var wording: ToolWording
  package var constraint: OutputConstraint?
  package var sampling: SamplingSettings
  package var maxTokens: Int
  package var stop: [String]

  package init(
    messages: [LLMMessage], messagesForAnswer: [LLMMessage]? = nil, messagesWithoutTools: [LLMMessage]? = nil,
    check: CallCheck? = nil, tools: [JSONValue] = [], wording: ToolWording = .templateOnly,
    constraint: OutputConstraint? = nil,
    sampling: SamplingSettings = SamplingSettings(), maxTokens: Int, stop: [String] = []
  ) {
    self.messages = messages
    self.messagesForAnswer = messagesForAnswer
    self.messagesWithoutTools = messagesWithoutTools
    self.check = check
    self.tools = tools
    self.wording = wording
    self.constraint = constraint
    self.sampling = sampling
    self.maxTokens = maxTokens
    self.stop = stop
  }
}

/// How the next token is chosen.
package struct SamplingSettings: Sendable, Hashable {
  package var temperature: Double
  package var topP: Double
  package var topK: Int
  package var minP: Double
  package var repetitionPenalty: Double
  package var seed: UInt64?

  package init(
    temperature: Double = 0, topP: Double = 1, topK: Int = 0, minP: Double = 0, repetitionPenalty: Double = 1,
    seed: UInt64? = nil
  ) {
    self.temperature = temperature
    self.topP = topP
    self.topK = topK
    self.minP = minP
    self.repetitionPenalty = repetitionPenalty
    self.seed = seed
  }
}

/// A turn that was generated.
package struct GeneratedTurn: Sendable {
  /// `.stop` or `.length`.
  package var reason: FinishReason
  package var usage: TokenUsage
  /// Seconds to the first token, in the prompt, and in decoding.
  package var timings: GenerationTimings
  /// What was weighed before its first token.
  package var weighing: CallWeighing?
  /// Whether the turn, as far as it came, could only be calls.
  package var isHeldToCalls: Bool

  package init(
    reason: FinishReason, usage: TokenUsage = TokenUsage(), timings: GenerationTimings = GenerationTimings(),
    weighing: CallWeighing? = nil, isHeldToCalls: Bool = false
  ) {
    self.reason = reason
    self.usage = usage
    self.timings = timings
    self.weighing = weighing
    self.isHeldToCalls = isHeldToCalls
  }
}

/// The prompt does not fit the context.
package struct ContextOverflow: Error, Sendable {
  package let tokens: Int
  package let limit: Int

  package init(tokens: Int, limit: Int) {
    self.tokens = tokens
    self.limit = limit
  }
}
