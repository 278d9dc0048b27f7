/// What a vocabulary entry stands for. The raw values are those of `tokenizer.ggml.token_type` in the GGUF specification.
package enum TokenKind: UInt8, Sendable {
  /// Text, found by merging.
  case normal = 1
  /// The stand-in for what the vocabulary can't express.
  case unknown = 2
  /// A mark with a meaning (end of turn, a role's beginning), never part of a text.
  case control = 3
  /// Text that was added to the vocabulary as one piece and is found in any text before merging.
  case userDefined = 4
  /// A place that no text fills.
  case unused = 5
  /// One byte, spelled `<0x41>`.
  case byte = 6
}
