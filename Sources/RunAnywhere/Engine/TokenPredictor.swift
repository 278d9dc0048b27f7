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
  /// Runs `tokens` after those in the cache; afterwards ``logits()`` are those behind the last.
  func forward(_ tokens: [Int], isCancelled: () -> Bool) throws
  /// The logits behind the last token, one a token id.
  func logits() -> [Float]
}
