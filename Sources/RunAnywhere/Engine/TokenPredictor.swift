/// Token ids in, logits out, with a cache of the tokens so far: the model as the generation loop sees it.
///
/// One owner at a time: the inference thread.
package protocol TokenPredictor: AnyObject {
  /// The most tokens that fit the context.
  var contextLength: Int { get }
  /// Tokens in the cache.
  var count: Int { get }
  /// Forgets the tokens from `count` on.
  func rewind(to count: Int)
  /// Runs `tokens` after those in the cache.
  ///
  /// - Throws: an error when `isCancelled` says so between two parts of the work, and what goes wrong. The cache is then
  ///   as it was.
  func forward(_ tokens: [Int], logits: WantedLogits, isCancelled: () -> Bool) throws
  /// The logits, one a token id, behind the token at `index` of those that the last run made logits for.
  func logits(at index: Int) -> [Float]
  /// The logits of `ids` behind that token.
  func logits(of ids: [Int], at index: Int) -> [Float]
}

/// What logits a run is to make.
package enum WantedLogits {
  /// None: the tokens only fill the cache.
  case none
  /// Those behind the last so many tokens.
  case tail(Int)
  /// Those behind the last token, of the ids that the closure gives, or of all if it gives none. It is asked once, as
  /// late as possible.
  case chosen(() -> [Int]?)
}

extension TokenPredictor {
  package func logits(of ids: [Int], at index: Int) -> [Float] {
    let row = logits(at: index)
    return ids.map { row.indices.contains($0) ? row[$0] : -.infinity }
  }
}
