public import Tools

/// How a plain generation runs.
///
/// ```swift
/// let options = LLMGenerationOptions(maxTokens: 200, temperature: 0.3, stopSequences: ["\n\n"])
/// ```
///
/// A number of the sampling that can't mean anything, a negative one or NaN, leaves its part out; a limit of tokens below 1
/// is an error.
public struct LLMGenerationOptions: Sendable {
  /// The most tokens to generate (default 100).
  public var maxTokens: Int
  /// Randomness of the sampling: 0 always takes the likeliest token (default 0.8).
  public var temperature: Double
  /// Nucleus sampling: the smallest set of tokens with this much probability; 1 turns it off.
  public var topP: Double
  /// Texts that end the answer; they are not part of it.
  public var stopSequences: [String]
  /// Text for the system turn.
  public var systemPrompt: String?
  /// Only the `topK` likeliest tokens; 0 turns it off.
  public var topK: Int
  /// Only tokens at least `minP` times as likely as the likeliest; 0 turns it off.
  public var minP: Double
  /// The seed of the random numbers; `nil` takes a new one each time.
  public var seed: UInt64?
  /// Makes tokens that came recently less likely; 1 turns it off.
  public var repetitionPenalty: Double
  /// Holds the answer to JSON that satisfies this schema.
  public var schema: JSONSchema?

  /// Options for a plain generation; whatever is left out has its default.
  public init(
    maxTokens: Int = 100, temperature: Double = 0.8, topP: Double = 1.0, stopSequences: [String] = [],
    systemPrompt: String? = nil, topK: Int = 0, minP: Double = 0, seed: UInt64? = nil, repetitionPenalty: Double = 1,
    schema: JSONSchema? = nil
  ) {
    self.maxTokens = maxTokens
    self.temperature = temperature
    self.topP = topP
    self.stopSequences = stopSequences
    self.systemPrompt = systemPrompt
    self.topK = topK
    self.minP = minP
    self.seed = seed
    self.repetitionPenalty = repetitionPenalty
    self.schema = schema
  }

  var sampling: SamplingSettings {
    SamplingSettings(
      temperature: temperature, topP: topP, topK: topK, minP: minP, repetitionPenalty: repetitionPenalty, seed: seed)
  }
}
