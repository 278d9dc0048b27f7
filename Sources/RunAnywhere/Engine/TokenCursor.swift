import Transformer

/// The place in a text where the next token is chosen: which tokens the model has still to run, which it has run ahead,
/// and the logits of the place.
///
/// Tokens are chosen first and run later, so that what is chosen without logits runs as one batch. Drafted tokens run
/// ahead of their choice: where the choice is the drafted token, nothing is left to do.
///
/// What follows the prompt runs in passes of at most ``batch`` tokens, in each of which a token gets what it would get
/// alone: neither drafts nor forced text change a bit of any logits. The prompt, whose passes are longer and round in
/// another order, is a run of its own for that.
struct TokenCursor {
  /// The most tokens of a pass behind the prompt, drafted ones included.
  static let batch = InferenceContext.batchLimit
  /// Tokens that kernels multiply with a row at a time; divides ``batch``.
  private static let group = 8

  private let slot: GenerationSlot
  private let cancellation: Cancellation
  /// Tokens that are chosen but not yet run.
  private(set) var pending: [Int]
  /// How many of them are the prompt's.
  private var promptCount: Int
  /// Tokens that have run but aren't chosen; behind them nothing is in the cache.
  private(set) var draft: [Int] = []
  /// Tokens at the end of the cache that were drafted in vain.
  private var excess = 0
  /// Which of the logits of the last run stand at this place.
  private var row = 0
  /// Whether there are logits at this place.
  private(set) var hasLogits = false

  /// At the end of `pending`, the rest of a prompt, which follows what is in the slot.
  init(slot: GenerationSlot, pending: [Int], cancellation: Cancellation) {
    self.slot = slot
    self.pending = pending
    promptCount = pending.count
    self.cancellation = cancellation
  }

  /// Takes a token that was chosen at this place.
  mutating func append(_ id: Int) {
    if pending.isEmpty, draft.first == id {
      draft.removeFirst()
      row += 1
      return
    }
    excess += draft.count
    draft = []
    pending.append(id)
    hasLogits = false
  }

  /// Runs what has still to be run, and makes logits at this place.
  ///
  /// - Parameters:
  ///   - ids: asked as late as possible: the only ids whose logits are wanted, nil for all. Not asked when the logits
  ///     are there already.
  ///   - mayStop: whether the run may still be given up because its logits turned out not to be needed.
  /// - Returns: whether there are logits; false when the run was given up.
  /// - Throws: `CancellationError`, and what the predictor throws.
  @discardableResult
  mutating func run(choosing ids: @escaping () -> [Int]? = { nil }, mayStop: () -> Bool = { false }) throws -> Bool {
    guard !hasLogits else { return true }
    let cancellation = cancellation
    var isStopped = false
    do {
      try dropExcess()
      try forward(logits: .chosen(ids)) {
        if mayStop() { isStopped = true }
        return isStopped || cancellation.isCancelled
      }
    } catch {
      if cancellation.isCancelled { throw CancellationError() }
      if isStopped { return false }
      throw error
    }
    row = 0
    hasLogits = true
    return true
  }

  /// Runs `pending` and `tokens` behind it; the last pass makes the logits. What has run is pending no more.
  private mutating func forward(
    _ tokens: [Int] = [], logits: WantedLogits, isCancelled: () -> Bool
  ) throws {
    while true {
      let isShort = pending.count + tokens.count <= TokenCursor.batch
      let count = isShort ? pending.count : promptCount > 0 ? promptCount : TokenCursor.batch
      let isLast = isShort || count == pending.count && tokens.isEmpty
      try slot.forward(
        Array(pending.prefix(count)) + (isLast ? tokens : []), logits: isLast ? logits : .none, isCancelled: isCancelled
      )
      pending.removeFirst(count)
      promptCount = 0
      if isLast { return }
    }
  }

  /// How many drafted tokens may run with what has still to be run: a pass costs about as much as one of the next multiple
  /// of eight tokens.
  var draftRoom: Int {
    pending.count < TokenCursor.batch ? TokenCursor.group - pending.count % TokenCursor.group : 0
  }

  /// Runs what has still to be run and `draft`, which there is room for, behind it, and makes logits at this place and
  /// behind each drafted token.
  ///
  /// - Throws: as ``run(choosing:mayStop:)``.
  mutating func run(drafting tokens: [Int]) throws {
    guard !hasLogits else { return }
    precondition(tokens.count <= draftRoom)
    let cancellation = cancellation
    do {
      try dropExcess()
      try forward(tokens, logits: .tail(tokens.count + 1)) { cancellation.isCancelled }
    } catch {
      throw cancellation.isCancelled ? CancellationError() : error
    }
    draft = tokens
    row = 0
    hasLogits = true
  }

  /// The logits at this place, once they are there.
  func logits() throws -> [Float] { try slot.open().logits(at: row) }

  /// The logits of `ids` at this place, once they are there.
  func logits(of ids: [Int]) throws -> [Float] { try slot.open().logits(of: ids, at: row) }

  /// Takes drafted tokens that weren't chosen out of the cache. The logits at this place can still be read.
  mutating func settle() throws {
    excess += draft.count
    draft = []
    try dropExcess()
  }

  private mutating func dropExcess() throws {
    guard excess > 0 else { return }
    try slot.rewind(to: slot.tokens.count - excess)
    excess = 0
  }
}
