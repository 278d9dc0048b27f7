/// How a generation with tools runs.
///
/// ```swift
/// let options = ToolCallingOptions(maxToolCalls: 3, temperature: 0.3, toolChoice: .required)
/// ```
public struct ToolCallingOptions: Sendable {
  /// The most tool calls in one generation (default 5). When they are used up a last turn without tools gives the
  /// answer. 0 answers without tools; a negative number is an error.
  public var maxToolCalls: Int
  /// Whether handlers run by themselves (default). When `false` the generation ends with the calls, and
  /// `continueWithToolResults` goes on.
  public var autoExecute: Bool
  /// Randomness of the sampling: 0 always takes the likeliest token (default 0.7).
  public var temperature: Double
  /// The most tokens to generate, over all turns of the generation together (default 512).
  public var maxTokens: Int
  /// Whether the model may, must or must not call (default `.auto`).
  public var toolChoice: ToolChoice
  /// Whether the handlers of several calls in one turn run at the same time (default: one after the other).
  public var parallelToolCalls: Bool
  /// Text for the system turn, before the description of the tools.
  public var systemPrompt: String?
  /// Earlier turns of the conversation, for instance ``ToolCallingResult/transcript``.
  public var history: [LLMMessage]
  /// How long a handler may take (default 30 seconds).
  public var handlerTimeout: Duration
  /// Nucleus sampling: the smallest set of tokens with this much probability; 1 turns it off.
  public var topP: Double
  /// Only the `topK` likeliest tokens; 0 turns it off.
  public var topK: Int
  /// Only tokens at least `minP` times as likely as the likeliest; 0 turns it off.
  public var minP: Double
  /// The seed of the random numbers; `nil` takes a new one each time.
  public var seed: UInt64?
  /// Texts that end the answer; they are not part of it.
  public var stop: [String]
  /// The form in which the model writes calls; `nil` takes the one of the model's family. Another one is taught in the
  /// prompt, in words of ours instead of the template's.
  public var callFormat: ToolCallFormat?
  /// Whether calls are constrained to the schemas of the tools (default), or only parsed and checked.
  public var grammar: GrammarMode
  /// The most bytes of JSON that a tool's result may take in the prompt; longer ones are clipped with a visible mark.
  public var resultLimit: Int
  /// The sentence about when not to call that is added to the system text under `.auto`; empty leaves it out.
  public var guidance: String
  /// The sentence about requests for several things that is added to the system text; empty leaves it out. It is left out
  /// as well when only one call may be made.
  public var severalCallsGuidance: String
  /// What is asked of a model that has results. Models whose template knows no tools are asked behind every result, others,
  /// by a user's turn of its own, when they have no answer: because they repeated a call, reached the limit, said nothing
  /// or began a call that nobody asked for. It is not part of the transcript; empty asks nothing.
  public var answerRequest: String
  /// How the tool is chosen where a call is certain; `nil` takes ``ToolSelection/calibrated`` for models whose template
  /// knows no tools, otherwise ``ToolSelection/wholeNames``.
  public var toolSelection: ToolSelection?

  /// How the value of an argument is chosen that can only be one of few: of an enumeration, a boolean. The
  /// default is token by token; ``ToolSelection/wholeNames`` runs the likeliest values as well before one is taken
  /// (``ToolSelection/calibrated`` counts as that).
  public var valueSelection: ToolSelection

  /// How likely a call must be for a turn under `.auto` to be one: the probability of the beginnings of calls, in all
  /// spellings that models are known to use, taken together. Behind results it is at least a half. `nil` doesn't weigh
  /// them: the turn is then what its first tokens make of it.
  public var callShare: Double?

  /// What is asked before an answer under `.auto`, beside the conversation and answered by yes or no alone: whether the
  /// request is one for the tools. The log-odds of "yes", above those for a request that asks nothing, are added to two
  /// fifths of the log-odds of the share that ``callShare`` speaks of, and the turn is calls when that comes to ``callEvidence``.
  ///
  /// It isn't part of the transcript, and costs about as much as a prompt that is longer by the question. When the turn is
  /// an answer then, and the conversation is shorter than 1,024 tokens, it is generated from a prompt without the tools: a
  /// small model that sees tools writes calls whatever was decided. That prompt has a cache of its own, which isn't saved
  /// with a session. Behind results, or when this is empty, nothing is asked, ``callShare`` decides alone, and the tools
  /// stay in the prompt.
  public var callCheck: String

  /// What stands before the names and descriptions of the tools in the system text of an answer that is generated without
  /// them, so that the model can say what it could do; see ``callCheck``. Empty doesn't mention them.
  public var toolMention: String

  /// How much must speak for a call; see ``callCheck`` and ``ToolCallingResult/weighing``.
  public var callEvidence: Double

  /// The default of ``callCheck``.
  public static let defaultCallCheck =
    "Does this need a call of one of the functions above? Answer yes or no."

  /// The default of ``toolMention``.
  public static let defaultToolMention =
    "You have tools, which the program around you runs when the user asks for what they do:"

  /// The default of ``callEvidence``.
  public static let defaultCallEvidence = 2.05

  /// The default of ``callShare``. On Qwen2.5-Coder-1.5B the beginnings of calls had more in 20 of 21 requests that a tool
  /// fitted, and less in 15 of 23 that none fitted.
  public static let defaultCallShare = 0.15

  /// The default of ``guidance``.
  public static let defaultGuidance =
    "If none of the functions fits the request, answer in plain words without calling a function."

  /// The default of ``severalCallsGuidance``.
  public static let defaultSeveralCallsGuidance =
    "If the request asks for several things, call a function once for each of them."

  /// The default of ``answerRequest``.
  public static let defaultAnswerRequest = "Now answer my question in a sentence or two."

  /// Options for a generation with tools; whatever is left out has its default.
  public init(
    maxToolCalls: Int = 5,
    autoExecute: Bool = true,
    temperature: Double = 0.7,
    maxTokens: Int = 512,
    toolChoice: ToolChoice = .auto,
    parallelToolCalls: Bool = false,
    systemPrompt: String? = nil,
    history: [LLMMessage] = [],
    handlerTimeout: Duration = .seconds(30),
    topP: Double = 1,
    topK: Int = 0,
    minP: Double = 0,
    seed: UInt64? = nil,
    stop: [String] = [],
    callFormat: ToolCallFormat? = nil,
    grammar: GrammarMode = .strict,
    resultLimit: Int = 8192,
    guidance: String = ToolCallingOptions.defaultGuidance,
    severalCallsGuidance: String = ToolCallingOptions.defaultSeveralCallsGuidance,
    answerRequest: String = ToolCallingOptions.defaultAnswerRequest,
    toolSelection: ToolSelection? = nil,
    valueSelection: ToolSelection = .tokenByToken,
    callShare: Double? = ToolCallingOptions.defaultCallShare,
    callCheck: String = ToolCallingOptions.defaultCallCheck,
    callEvidence: Double = ToolCallingOptions.defaultCallEvidence,
    toolMention: String = ToolCallingOptions.defaultToolMention
  ) {
    self.maxToolCalls = maxToolCalls
    self.autoExecute = autoExecute
    self.temperature = temperature
    self.maxTokens = maxTokens
    self.toolChoice = toolChoice
    self.parallelToolCalls = parallelToolCalls
    self.systemPrompt = systemPrompt
    self.history = history
    self.handlerTimeout = handlerTimeout
    self.topP = topP
    self.topK = topK
    self.minP = minP
    self.seed = seed
    self.stop = stop
    self.callFormat = callFormat
    self.grammar = grammar
    self.resultLimit = resultLimit
    self.guidance = guidance
    self.severalCallsGuidance = severalCallsGuidance
    self.answerRequest = answerRequest
    self.toolSelection = toolSelection
    self.valueSelection = valueSelection
    self.callShare = callShare
    self.callCheck = callCheck
    self.callEvidence = callEvidence
    self.toolMention = toolMention
  }
}

/// Whether the model may call tools.
public enum ToolChoice: Sendable, Hashable {
  /// The model decides between an answer and calls.
  case auto
  /// No calls; tools are not mentioned.
  case none
  /// The first turn must call at least one tool.
  case required
  /// The first turn must call this tool.
  case tool(String)
}

/// The form in which a model writes tool calls.
public enum ToolCallFormat: String, Sendable, Hashable, CaseIterable {
  /// `<tool_call>{"name": "f", "arguments": {…}}</tool_call>`: Hermes, Qwen.
  case hermes
  /// `{"name": "f", "parameters": {…}}`: Llama 3.
  case llama
  /// `[TOOL_CALLS][{"name": "f", "arguments": {…}}]`: Mistral Nemo.
  case mistral
  /// `[TOOL_CALLS]f[ARGS]{…}`: Mistral Small 3.2, Devstral.
  case mistralNamed
  /// `<function=f>{…}</function>`: Functionary 3.1.
  case functionary
  /// `<|tool_call_start|>[f(key='value')]<|tool_call_end|>`: LFM2.
  case lfm
  /// `[f(key='value')]`: Llama 3.2 with the other of its two prompts.
  case pythonic
  /// Hermes' form, described in a prompt of our own: models whose template knows no tools.
  case generic
}

/// How a model's choice among tools is read.
public enum ToolSelection: Sendable, Hashable {
  /// Token by token, as the rest of the text: a name is lost if its first token is unlikely.
  case tokenByToken
  /// By the probabilities of the whole names.
  case wholeNames
  /// By the probabilities of the whole names, without the model's leaning towards a name or a place in the list, which
  /// shows when nothing is asked (contextual calibration, Zhao et al. 2021).
  case calibrated
}

/// What keeps calls in form.
public enum GrammarMode: Sendable, Hashable {
  /// Calls satisfy the schemas by construction: every token that can't lead to a valid call is masked.
  case strict
  /// The model writes freely; calls are parsed, and arguments that don't fit go back to the model as errors.
  case off
}
