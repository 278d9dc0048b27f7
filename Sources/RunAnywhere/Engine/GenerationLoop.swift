import Sampling
import Tools

/// Generates one turn: prefill, then token after token under the constraint until the turn ends.
///
/// Runs on the inference thread.
struct GenerationLoop {
  private(set) var slot: GenerationSlot
  let codec: any TextCodec
  let cancellation: Cancellation
  let maxTokens: Int
  let emit: (String) -> Void
  let settings: EngineSettings
  /// Where masks are made while the model runs.
  let side: SideThread

  var constraint: ConstraintState?
  /// What the model thinks of the alternatives of a closed choice when nothing is asked.
  var leaning = Leaning()
  var sampler: Sampler
  private var assembler: CharacterAssembler
  private let stopIDs: Set<Int>
  /// The tokens of prompt and turn.
  private(set) var tokens: [Int] = []
  /// The place where the next token is chosen.
  var cursor: TokenCursor
  /// Tokens that only one text could lead to, still to be taken.
  var forced: [Int] = []
  /// The token that nearly always comes behind forced ones; it runs with them and is chosen like a drafted one.
  var guess: Int?
  /// Whether what runs ahead is a guess and no draft.
  var runsGuess = false
  /// The tokens that end the turn, once tokens run out.
  var ending: [Int] = []
  /// How many tokens are left when the ending is looked at next.
  var endingCheck = Int.max
  var drafts: DraftSource
  private var contextLimit = 0
  var usage = TokenUsage()
  /// What was weighed before the first token.
  var weighing: CallWeighing?
  /// When the request came to its turn, before anything was weighed for it.
  private let begin = ContinuousClock.now
  /// When the prompt began and what of it was cached, where something ran before ``run(_:)``.
  var started: ContinuousClock.Instant?
  var alreadyCached: Int?

  init(
    slot: GenerationSlot, codec: any TextCodec, cancellation: Cancellation, request: TurnRequest,
    constraint: ConstraintState?, settings: EngineSettings, side: SideThread, emit: @escaping (String) -> Void
  ) {
    self.slot = slot
    self.codec = codec
    self.cancellation = cancellation
    self.emit = emit
    self.constraint = constraint
    self.settings = settings
    self.side = side
    maxTokens = request.maxTokens
    sampler = Sampler(SamplingOptions(request.sampling))
    assembler = CharacterAssembler(stops: request.stop)
    stopIDs = Set(request.stop.compactMap { codec.controlTokens[$0] })
    cursor = TokenCursor(slot: slot, pending: [], cancellation: cancellation)
    drafts = DraftSource(limit: settings.draftLength)
  }

  /// Generates in another cache, after `prompt` was weighed in the one at hand.
  mutating func move(to other: GenerationSlot, behind prompt: [Int]) {
    usage.weighedTokens += prompt.count - (alreadyCached ?? 0)
    alreadyCached = nil
    slot = other
  }

  /// Generates the turn that follows `prompt`.
  ///
  /// - Throws: ``ContextOverflow`` when the prompt leaves no room for a token, `CancellationError`, and what the predictor
  ///   and the sampler throw. The cache keeps what was computed.
  mutating func run(_ prompt: [Int]) throws -> GeneratedTurn {
    let clock = ContinuousClock()
    let start = started ?? clock.now
    contextLimit = try slot.open().contextLength
    guard prompt.count < contextLimit else { throw ContextOverflow(tokens: prompt.count, limit: contextLimit) }
    tokens = prompt
    usage.promptTokens = prompt.count
    let cached = try slot.reuse(prompt)
    usage.cachedTokens = min(alreadyCached ?? cached, cached)
    cursor = TokenCursor(slot: slot, pending: Array(prompt[cached...]), cancellation: cancellation)
    // Under a constraint the turn may begin with text that must come, which then runs together with the prompt.
    if constraint == nil { try cursor.run() }
    var prefill = constraint == nil ? (clock.now - start).seconds : nil
    var timeToFirst: Double?
    var reason = FinishReason.length
    while remaining > 0 {
      guard let id = try next() else {
        reason = .stop
        break
      }
      if cursor.hasLogits, prefill == nil { prefill = (clock.now - start).seconds }
      take(id)
      if timeToFirst == nil, prefill != nil { timeToFirst = (clock.now - begin).seconds }
      if assembler.isStopped || stopIDs.contains(id) {
        reason = .stop
        break
      }
    }
    try cursor.settle()
    let ends = codec.endOfTurn
    if reason == .length, constraint?.mustEnd(ends) == true { reason = .stop }
    let rest = assembler.finish()
    if !rest.isEmpty { emit(rest) }
    let total = (clock.now - start).seconds
    return GeneratedTurn(
      reason: reason, usage: usage,
      timings: GenerationTimings(
        timeToFirstToken: timeToFirst ?? prefill ?? total, prefill: prefill ?? total,
        decode: total - (prefill ?? total), usage: usage), weighing: weighing,
      isHeldToCalls: constraint?.isHeldToCalls ?? false)
  }

  /// How many more tokens the limit and the context leave.
  var remaining: Int {
    min(maxTokens - usage.generatedTokens, contextLimit - tokens.count)
  }

  /// The next token; nil when the turn ends.
  private mutating func next() throws -> Int? {
    if cancellation.isCancelled { throw CancellationError() }
    guard constraint != nil else {
      try runDrafting()
      return try unlessEnd(sample(nil))
    }
    if let id = try forcedToken() { return id }
    let plan = try plannedRun()
    switch plan.choice {
    case .none: throw SDKError(code: .generationFailed, message: "no token of the vocabulary fits the grammar here")
    case .end: return nil
    case .single(let id) where settings.forcesText:
      usage.forcedTokens += 1
      return try accepted(id)
    case .single, .several:
      if let id = try continuation() { return id < 0 ? nil : id }
      guard let id = try unlessEnd(sample(plan)) else { return nil }
      return try accepted(id)
    }
  }

  private func unlessEnd(_ id: Int) -> Int? { codec.endOfTurn.contains(id) ? nil : id }

  /// `id`, which the constraint takes.
  mutating func accepted(_ id: Int) throws -> Int {
    guard accept(id) else {
      throw SDKError(code: .generationFailed, message: "the grammar refuses token \(id), which its own mask allows")
    }
    return id
  }

  /// Moves the constraint on; false, and nothing changed, when it doesn't allow `id`.
  mutating func accept(_ id: Int) -> Bool {
    let spelling = codec.spelling(of: id)
    return constraint?.accept(id, spelling: spelling) ?? true
  }

  private mutating func take(_ id: Int) {
    let wasDrafted = cursor.draft.first == id
    if wasDrafted, !runsGuess { usage.copiedTokens += 1 }
    drafts.step(wasDrafted: wasDrafted)
    guess = nil
    tokens.append(id)
    cursor.append(id)
    usage.generatedTokens += 1
    sampler.accept(id)
    let text = assembler.append(constraint == nil ? codec.bytes(of: id) : codec.spelling(of: id))
    if !text.isEmpty { emit(text) }
  }
}
