package import ChatTemplate

/// Text to ids and back: the tokenizer as the generation loop sees it.
package protocol TextCodec: Sendable {
  /// The number of ids that stand for something.
  var vocabularySize: Int { get }
  /// Ids of control and user-defined tokens by their spelling.
  var controlTokens: [String: Int] { get }
  /// Every id that ends a turn.
  var endOfTurn: Set<Int> { get }
  /// The id that stands before every prompt, if the model wants one.
  var leading: Int? { get }
  /// The ids in ``controlTokens``.
  var controlIDs: Set<Int> { get }
  /// The bytes of a token; none for control tokens.
  func bytes(of id: Int) -> [UInt8]
  /// The bytes of a token, of a control token its spelling.
  func spelling(of id: Int) -> [UInt8]
  /// The ids of a prompt; control tokens are recognised in the template's own text only.
  func encode(_ segments: [PromptSegment]) -> [Int]
  /// The ids of plain text.
  func encode(bytes: [UInt8]) -> [Int]
}

extension TextCodec {
  /// The ids of a text; control tokens are recognised when it is `special`.
  func encode(_ text: String, special: Bool) -> [Int] { encode([PromptSegment(text: text, isTemplate: special)]) }
}
