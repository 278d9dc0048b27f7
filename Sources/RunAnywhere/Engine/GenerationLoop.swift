import ChatTemplate
import Sampling
import Tools

/// Generates one turn: prefill, then token after token under the constraint until the turn ends.
///
/// Runs on the inference thread.
struct GenerationLoop {
  let slot: GenerationSlot
  let codec: any TextCodec
  let cancellation: Cancellation
  let maxTokens: Int
  let emit: (String) -> Void

  var constraint: ConstraintState?
  /// What the model thinks of the alternatives of a closed choice when nothing is asked.
  var leaning = Leaning()
  private var sampler: Sampler
  private var assembler: CharacterAssembler
  private let stopIDs: Set<Int>
  private var prompt: [Int] = []
  /// Tokens that are chosen but not yet run.
  private var pending: [Int] = []
  /// Tokens of the turn.
  private var generated: [Int] = []
  /// Tokens that only one text could lead to, still to be taken.
  private var forced: [Int] = []
  /// The tokens that end the turn, once tokens run out.
  private var ending: [Int] = []
  private var contextLimit = 0
  /// The logits behind the last token that was run.
  private var lastLogits: [Float] = []
  private var usage = TokenUsage()
  /// When the turn began and what of its prompt was cached, where something ran before ``run(_:)``.
  var started: ContinuousClock.Instant?
  var alreadyCached: Int?

  init(
    slot: GenerationSlot, codec: any TextCodec, cancellation: Cancellation, request: TurnRequest,
    constraint: ConstraintState?, emit: @escaping (String) -> Void
  ) {
    self.slot = slot
    self.codec = codec
    self.cancellation = cancellation
    self.emit = emit
    self.constraint = constraint
    maxTokens = request.maxTokens
    sampler = Sampler(SamplingOptions(request.sampling))
    assembler = CharacterAssembler(stops: request.stop)
    stopIDs = Set(request.stop.compactMap { codec.controlTokens[$0] })
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
    self.prompt = prompt
    usage.promptTokens = prompt.count
    let cached = try slot.reuse(prompt)
    usage.cachedTokens = min(alreadyCached ?? cached, cached)
    pending = Array(prompt[cached...])
    try runPending()
    let prefill = (clock.now - start).seconds
    var timeToFirst: Double?
    var reason = FinishReason.length
    while remaining > 0 {
      guard let id = try next() else {
        reason = .stop
        break
      }
      take(id)
      if timeToFirst == nil { timeToFirst = (clock.now - start).seconds }
      if assembler.isStopped || stopIDs.contains(id) {
        reason = .stop
        break
      }
    }
    if reason == .length, mustEnd() { reason = .stop }
    let rest = assembler.finish()
    if !rest.isEmpty { emit(rest) }
    return GeneratedTurn(
      reason: reason, usage: usage,
      timings: GenerationTimings(
        timeToFirstToken: timeToFirst ?? prefill, prefill: prefill, decode: (clock.now - start).seconds - prefill,
        usage: usage))
  }

  /// How many more tokens the limit and the context leave.
  private var remaining: Int {
    min(maxTokens - usage.generatedTokens, contextLimit - prompt.count - generated.count)
  }

  /// The next token; nil when the turn ends.
  private mutating func next() throws -> Int? {
    if cancellation.isCancelled { throw CancellationError() }
    guard constraint != nil else {
      let id = try sample(allowed: nil)
      return codec.endOfTurn.contains(id) ? nil : id
    }
    if let id = try forcedToken() { return id }
    guard let mask = constraint?.mask() else { return nil }
    let choice = Choice(mask, ends: codec.endOfTurn)
    switch choice {
    case .none: throw SDKError(code: .generationFailed, message: "no token of the vocabulary fits the grammar here")
    case .end: return nil
    case .single(let id):
      usage.forcedTokens += 1
      return try accepted(id)
    case .several:
      if let id = try continuation() { return id < 0 ? nil : id }
      let id = try sample(allowed: mask)
      return codec.endOfTurn.contains(id) ? nil : try accepted(id)
    }
  }

  private mutating func accepted(_ id: Int) throws -> Int {
    guard accept(id) else {
      throw SDKError(code: .generationFailed, message: "the grammar refuses token \(id), which its own mask allows")
    }
    return id
  }

  private mutating func accept(_ id: Int) -> Bool {
    let spelling = codec.spelling(of: id)
    return constraint?.accept(id, spelling: spelling) ?? true
  }

  /// Whether the constraint leaves nothing but the end.
  private mutating func mustEnd() -> Bool {
    let ends = codec.endOfTurn
    return constraint?.mustEnd(ends) ?? false
  }

  private mutating func take(_ id: Int) {
    generated.append(id)
    pending.append(id)
    usage.generatedTokens += 1
    sampler.accept(id)
    let text = assembler.append(constraint == nil ? codec.bytes(of: id) : codec.spelling(of: id))
    if !text.isEmpty { emit(text) }
  }

  // MARK: The model

  private mutating func sample(allowed: TokenMask?) throws -> Int {
    try runPending()
    var logits = lastLogits
    if logits.count > codec.vocabularySize { logits.removeSubrange(codec.vocabularySize...) }
    return try sampler.sample(&logits, allowed: allowed)
  }

  private mutating func runPending() throws {
    guard !pending.isEmpty else { return }
    do {
      try slot.forward(pending) { [cancellation] in cancellation.isCancelled }
    } catch {
      throw cancellation.isCancelled ? CancellationError() : error
    }
    pending = []
    lastLogits = try slot.open().logits(at: 0)
  }

  // MARK: Text that must come

  /// A token that needs no model: one of a text that must come, or of the text that ends the turn.
  private mutating func forcedToken() throws -> Int? {
    if ending.isEmpty { beginEnding() }
    if !ending.isEmpty { return try accepted(ending.removeFirst()) }
    if forced.isEmpty, let alternatives = constraint?.openChoice { try choose(among: alternatives) }
    if forced.isEmpty, let (text, followers) = constraint?.forcedBytes(), text.count > 1 || followers != nil {
      forced = ForcedText(codec: codec, followers: followers).tokens(
        of: text, after: (prompt + generated).suffix(ForcedText.reach))
    }
    while !forced.isEmpty {
      let id = forced.removeFirst()
      guard accept(id) else {
        forced = []
        break
      }
      usage.forcedTokens += 1
      return id
    }
    return nil
  }

  /// Decides between another call and the end of the turn by the probability of all that another call begins with: a
  /// line end alone says little.
  ///
  /// - Returns: the first token of another call, -1 for the end, nil where there is no such choice.
  private mutating func continuation() throws -> Int? {
    let codec = codec
    guard let text = constraint?.openContinuation else { return nil }
    let ids = codec.encode([PromptSegment(text: String(decoding: text, as: UTF8.self), isTemplate: true)])
    guard !ids.isEmpty, ids.count < remaining, constraint?.allows(ids, codec) == true else { return nil }
    try runPending()
    let scorer = ChoiceScorer(slot: slot, codec: codec, cancellation: cancellation)
    let ends = codec.endOfTurn.sorted().map { [$0] }
    let scores = try scorer.scores(of: [ids] + ends, first: lastLogits, leaning: [leaning.anotherCall], margin: 0)
    // Not a matter of chance at any temperature: a call that nobody asked for may do something.
    guard scores[0] - (scores.dropFirst().max() ?? 0) > leaning.anotherCall else { return -1 }
    forced = Array(ids.dropFirst())
    return try accepted(ids[0])
  }

  /// Makes a choice by the probabilities of whole texts; its tokens are then forced.
  private mutating func choose(among alternatives: [[UInt8]]) throws {
    let codec = codec
    let ids = alternatives.map { codec.encode(bytes: $0) }
    guard ids.allSatisfy({ !$0.isEmpty && constraint?.allows($0, codec) == true }),
      ids.allSatisfy({ $0.count < remaining })
    else { return }
    try runPending()
    let scorer = ChoiceScorer(slot: slot, codec: codec, cancellation: cancellation)
    let scores = try scorer.scores(
      of: ids, first: lastLogits, leaning: leaning.names, margin: ChoiceScorer.margin(sampler.options.temperature))
    var logits = scores.indices.map { Float(scores[$0] - leaning.name($0)) }
    let chosen = try sampler.sample(&logits, allowed: nil)
    forced = ids[chosen]
  }

  /// Decides whether it is time to end the turn, when tokens are nearly used up.
  private mutating func beginEnding() {
    guard remaining <= GenerationLoop.endingWindow else { return }
    let codec = codec
    guard let parts = constraint?.ending(codec), !parts.isEmpty else { return }
    let tokens = parts.flatMap { part in
      switch part {
      case .text(let text): codec.encode(bytes: text)
      case .token(let id): [id]
      }
    }
    let slack = constraint?.endsAnyhow == true ? GenerationLoop.endingSlack : 0
    guard tokens.count <= remaining, remaining <= tokens.count + slack, constraint?.allows(tokens, codec) == true else {
      return
    }
    forced = []
    ending = tokens
  }

  private static let endingWindow = 64
  private static let endingSlack = 8
}
