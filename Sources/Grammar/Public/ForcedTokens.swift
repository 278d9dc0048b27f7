/// What a grammar says about the next tokens before any model is asked.
public struct ForcedTokens: Sendable, Hashable {
  /// Tokens that come next, whatever follows them; often none.
  public var tokens: [Int] = []

  /// The token after ``tokens`` that an ordinary continuation has; `nil` when there is none.
  ///
  /// The text is certain here, but a continuation that begins with an unusual character would be written with a longer
  /// token: before a free string ` "` is a guess, because `"/home"` begins with ` "/`. A caller can run it in the same batch
  /// and keep it when what it samples from the logits before it is the same token.
  public var guess: Int?

  /// Nothing is known.
  public init() {}
}
