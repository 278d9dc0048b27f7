import ChatTemplate
import JSON
package import Tools

/// A model ready to answer: codec, template, predictor, thread and compiled grammars under one roof. It knows nothing of
/// tools being run.
///
/// Everything that computes happens on the engine's own thread, one request after the other.
package final class Engine: Sendable {
  package let name: String
  package let codec: any TextCodec
  package let renderer: any PromptRenderer
  private let makePredictor: @Sendable () throws -> any TokenPredictor
  private let thread: InferenceThread
  private let grammars = GrammarStore()
  private let calibrations = CalibrationStore()
  private let settings: EngineSettings
  private let side: SideThread
  /// The cache that requests share which don't bring one of their own.
  private let sharedSlot: GenerationSlot
  /// The cache of conversations as they look without tools; a request with tools keeps its own for the next turn.
  private let plainSlot: GenerationSlot

  /// How long a conversation may be that is read once more without its tools. It is bounded by its length and not by what of
  /// it is cached, so that the same request always gets the same answer.
  private static let longestPlainPrompt = 1024

  package init(
    name: String, codec: any TextCodec, renderer: any PromptRenderer, settings: EngineSettings = EngineSettings(),
    makePredictor: @escaping @Sendable () throws -> any TokenPredictor
  ) {
    self.name = name
    self.codec = codec
    self.renderer = renderer
    self.settings = settings
    self.makePredictor = makePredictor
    side = SideThread(name: "RunAnywhere masks \(name)")
    thread = InferenceThread(name: "RunAnywhere \(name)")
    sharedSlot = GenerationSlot(makePredictor)
    plainSlot = GenerationSlot(makePredictor)
  }

  /// A KV cache of its own, for a session.
  package func makeSlot() -> GenerationSlot { GenerationSlot(makePredictor) }

  /// Generates the turn that follows a conversation.
  package func generate(
    _ request: TurnRequest, slot: GenerationSlot? = nil, onText: @escaping @Sendable (String) -> Void
  ) async throws -> GeneratedTurn {
    let renderer = renderer
    return try await run(request, slot: slot, onText: onText) {
      try renderer.segments(messages: $0, tools: $1, wording: request.wording)
    }
  }

  /// Continues a text as it stands, without a chat template.
  package func complete(
    _ text: String, request: TurnRequest, onText: @escaping @Sendable (String) -> Void
  ) async throws -> GeneratedTurn {
    try await run(request, slot: nil, onText: onText) { _, _ in [PromptSegment(text: text, isTemplate: false)] }
  }

  /// - Parameter segments: the prompt of a conversation with these tools.
  private func run(
    _ request: TurnRequest, slot: GenerationSlot?, onText: @escaping @Sendable (String) -> Void,
    segments: @escaping @Sendable ([LLMMessage], [JSONValue]) throws -> [PromptSegment]
  ) async throws -> GeneratedTurn {
    let slot = slot ?? sharedSlot
    let codec = codec
    let grammars = grammars
    let calibrations = calibrations
    let (settings, side) = (settings, side)
    // What a model leans to is found out beside a session's conversation, not in its cache.
    let (calibrationSlot, plainSlot) = (sharedSlot, plainSlot)
    return try await thread.perform { cancellation in
      func ids(_ messages: [LLMMessage], tools: [JSONValue]) throws -> [Int] {
        Engine.ids(of: try segments(messages, tools), codec: codec)
      }
      let prompt = try ids(request.messages, tools: request.tools)
      guard !prompt.isEmpty else {
        throw SDKError(code: .invalidInput, message: "the prompt has no tokens: there is nothing to go on from")
      }
      let constraint = try request.constraint.map { try grammars.start($0, codec: codec) }
      var loop = GenerationLoop(
        slot: slot, codec: codec, cancellation: cancellation, request: request, constraint: constraint,
        settings: settings, side: side, emit: onText)
      let limit = try slot.open().contextLength
      func empty(_ asking: String) throws -> [Int] {
        let system = request.messages.prefix { $0.role == .system }
        return try ids(system + [.user(asking)], tools: request.tools)
      }
      let beside = ChoiceScorer(slot: calibrationSlot, codec: codec, cancellation: cancellation)
      if let wanted = request.constraint?.leanings, prompt.count < limit {
        let before = calibrationSlot.runTokens
        loop.leaning = try calibrations.leaning(
          wanted, key: "\(wanted.key) \(Engine.key(request))", scorer: beside, prompt: empty)
        loop.usage.weighedTokens += calibrationSlot.runTokens - before
      }
      guard prompt.count < limit, let (opening, calls) = loop.constraint?.takeOpening() else {
        return try loop.run(prompt)
      }
      let before = calibrationSlot.runTokens
      let check = try request.check.map { check in
        GenerationLoop.Check(
          ids: try ids(check.messages, tools: request.tools), evidence: check.evidence
        ) {
          try calibrations.logOddsOfYes(
            to: check.question, key: "\(request.constraint?.key ?? "") \(Engine.key(request))", scorer: beside,
            prompt: empty)
        }
      }
      let weighing = try loop.weigh(
        opening, calls: calls, prompt: prompt, check: check.flatMap { $0.ids.count < limit ? $0 : nil })
      if calibrationSlot !== slot { loop.usage.weighedTokens += calibrationSlot.runTokens - before }
      if weighing != .calls, check != nil {
        // Asked, and no request for the tools: a small model that sees tools writes calls whatever was decided.
        let plain = try ids(request.messagesWithoutTools ?? request.messages, tools: [])
        if plain.count < min(limit, Engine.longestPlainPrompt) {
          loop.move(to: plainSlot, behind: prompt)
          return try loop.run(plain)
        }
      }
      guard weighing == .doubtfulAnswer, let asking = request.messagesForAnswer else { return try loop.run(prompt) }
      return try loop.run(try ids(asking, tools: request.tools))
    }
  }

  /// What beside the tools decides how a prompt begins.
  private static func key(_ request: TurnRequest) -> String {
    "\(request.wording) \(request.messages.prefix { $0.role == .system }.map(\.content))"
  }

  /// The ids of a prompt, with the leading token that the model wants exactly once.
  static func ids(of segments: [PromptSegment], codec: any TextCodec) -> [Int] {
    let ids = codec.encode(segments)
    guard let leading = codec.leading, ids.first != leading else { return ids }
    return [leading] + ids
  }

  /// Runs `work` on the thread of the model, after what waits in line: whoever touches a slot does it there.
  package func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await thread.perform { _ in try work() }
  }

  /// The ids of a text, for counting and showing.
  package func tokens(of text: String, special: Bool) -> [Int] {
    codec.encode(text, special: special)
  }
}
