/// A KV cache and the tokens in it. Belongs to one model; only the model's inference thread touches it.
///
/// The model's own slot serves single requests; every session has one of its own, so that sessions don't push each other
/// out.
package final class GenerationSlot: @unchecked Sendable {
  // Unchecked: all members are used on the inference thread of the model alone.
  private let make: @Sendable () throws -> any TokenPredictor
  private var predictor: (any TokenPredictor)?
  /// The ids in the predictor's cache.
  package private(set) var tokens: [Int] = []
  /// How many tokens the predictor has run, those forgotten included.
  private(set) var runTokens = 0

  package init(_ make: @escaping @Sendable () throws -> any TokenPredictor) {
    self.make = make
  }

  /// The predictor, made at first use.
  func open() throws -> any TokenPredictor {
    if let predictor { return predictor }
    let predictor = try make()
    self.predictor = predictor
    return predictor
  }

  /// Rewinds to the longest beginning that the cache shares with `prompt`, but leaves at least its last token to be run.
  ///
  /// - Returns: how many tokens of the prompt are in the cache.
  func reuse(_ prompt: [Int]) throws -> Int {
    let predictor = try open()
    let shared = min(PromptChange(from: tokens, to: prompt).shared, max(prompt.count - 1, 0), predictor.count)
    predictor.rewind(to: shared)
    tokens.removeSubrange(shared...)
    return shared
  }

  /// Runs tokens until `cancellation` says otherwise. After an error the cache holds what it held before.
  ///
  /// - Throws: `CancellationError`, and what the predictor throws.
  func forward(_ ids: [Int], logits: WantedLogits = .tail(1), cancellation: Cancellation) throws {
    do {
      try forward(ids, logits: logits) { cancellation.isCancelled }
    } catch {
      throw cancellation.isCancelled ? CancellationError() : error
    }
  }

  /// Runs tokens. After an error the cache holds what it held before.
  func forward(_ ids: [Int], logits: WantedLogits, isCancelled: () -> Bool) throws {
    let predictor = try open()
    try predictor.forward(ids, logits: logits, isCancelled: isCancelled)
    tokens += ids
    runTokens += ids.count
  }

  /// Forgets the tokens from `count` on.
  func rewind(to count: Int) throws {
    try open().rewind(to: count)
    tokens.removeSubrange(count...)
  }

  /// Takes `ids` for what is in the predictor's cache, which a snapshot has filled.
  func adopt(_ ids: [Int]) { tokens = ids }

  /// Forgets everything.
  func clear() {
    predictor?.rewind(to: 0)
    tokens = []
  }

  /// Gives the memory back.
  func close() {
    predictor = nil
    tokens = []
  }
}
