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
  /// - Parameter all: whether there are to be logits behind each of the tokens, not only behind the last.
  func forward(_ tokens: [Int], all: Bool, isCancelled: () -> Bool) throws
  /// The logits, one a token id, behind the token at `index` of those that the last run made logits for.
  func logits(at index: Int) -> [Float]
}
