import Sampling

/// The loop and the model: when it runs, over which tokens, and what is taken from its logits.
extension GenerationLoop {
  /// The share of the vocabulary up to which the output head is computed for the allowed tokens alone.
  ///
  /// Time of a token with a part of the head, as a share of one with all of it, at 1/64, 1/16, 1/8, 1/4 and 1/2 of the
  /// rows: SmolLM2 0.76, 0.81, 0.87, 0.95, 1.4; Qwen2.5-Coder-1.5B 0.87, 0.88, 0.94, 1.0, 1.1.
  private static let fewShare = 8

  /// Tokens up to which the head is not computed as a whole.
  private var fewLimit: Int { codec.vocabularySize / GenerationLoop.fewShare }

  /// Makes logits at this place, and checks drafted tokens in the same pass where a draft is worth it.
  mutating func runDrafting() throws {
    guard !cursor.hasLogits else { return }
    let draft = proposal()
    guard !draft.isEmpty else {
      try cursor.run()
      return
    }
    try run(drafting: draft)
  }

  private mutating func run(drafting draft: [Int]) throws {
    if !runsGuess {
      drafts.begin(draft.count)
      usage.draftedTokens += draft.count
    }
    try cursor.run(drafting: draft)
  }

  /// What is known about the next token, with logits where they are needed.
  ///
  /// Masks depend on what was accepted alone, so they are made while the model runs, and are there when its output head
  /// wants to know which rows to compute.
  mutating func plannedRun() throws -> StepPlan {
    guard var constraint else { return StepPlan(nil, ends: [], limit: 0) }
    let (ends, limit) = (codec.endOfTurn, fewLimit)
    // A choice between another call and the end looks at more tokens than the mask allows.
    let wantsAll = !settings.choosesRows || constraint.openContinuation != nil
    // Where the turn may end, the pass may not be needed at all.
    guard settings.masksBeside, settings.forcesText, !cursor.hasLogits, !constraint.mayEnd else {
      let plan = StepPlan(constraint.mask(), ends: ends, limit: limit)
      if plan.needsLogits || !settings.forcesText { try run(plan, wantsAll: wantsAll) }
      return plan
    }
    let draft = proposal()
    if !draft.isEmpty {
      try run(drafting: draft)
      return StepPlan(constraint.mask(), ends: ends, limit: limit)
    }
    let job = side.start { [constraint] in
      var state = constraint
      return StepPlan(state.mask(), ends: ends, limit: limit)
    }
    var asked = 0
    try cursor.run(choosing: { wantsAll ? nil : job.wait()?.few }) {
      asked += 1
      return asked <= GenerationLoop.stoppableParts && job.value?.needsLogits == false
    }
    return job.wait() ?? StepPlan(constraint.mask(), ends: ends, limit: limit)
  }

  private mutating func run(_ plan: StepPlan, wantsAll: Bool) throws {
    guard !cursor.hasLogits else { return }
    let draft = plan.few == nil || guess != nil ? proposal() : []
    if draft.isEmpty {
      try cursor.run(choosing: { wantsAll ? nil : plan.few })
    } else {
      try run(drafting: draft)
    }
  }

  /// A pass whose logits aren't needed is given up in its first parts; later it is as good as done.
  private static let stoppableParts = 8

  /// Tokens to run ahead: they may come, stay within the limits, and end no turn.
  private mutating func proposal() -> [Int] {
    // Long runs are prompts; a draft waits for the next pass.
    guard cursor.draftRoom > 0 else { return [] }
    var draft = drafts.propose(after: tokens, limit: min(remaining - 1, cursor.draftRoom))
    if let end = draft.firstIndex(where: { codec.controlIDs.contains($0) }) { draft.removeSubrange(end...) }
    if let constraint, !draft.isEmpty { draft.removeSubrange(constraint.allowedCount(of: draft, codec)...) }
    runsGuess = draft.isEmpty && guess != nil && remaining > 1
    if runsGuess, let guess, constraint?.allowedCount(of: [guess], codec) == 1 { return [guess] }
    runsGuess = false
    return draft
  }

  /// Chooses the next token from the logits of this place.
  mutating func sample(_ plan: StepPlan?) throws -> Int {
    // Whether or not the head was computed for them alone: the same numbers are added up in the same order.
    if let few = plan?.few {
      var logits = try cursor.logits(of: few)
      return try sampler.sample(&logits, of: few)
    }
    var logits = try cursor.logits()
    if logits.count > codec.vocabularySize { logits.removeSubrange(codec.vocabularySize...) }
    return try sampler.sample(&logits, allowed: plan?.mask)
  }
}
