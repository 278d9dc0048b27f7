/// A part of a text to be encoded, and whether the spelling of a control token in it means that token.
///
/// A chat prompt is a list of pieces: the template's own text may name control tokens, what users and tools wrote may
/// not.
///
/// ```swift
/// tokenizer.encode([TextPiece("<|im_start|>user\n", allowsSpecial: true), TextPiece(message, allowsSpecial: false)])
/// ```
package struct TextPiece: Sendable, Equatable {
  package var text: String
  package var allowsSpecial: Bool

  package init(_ text: String, allowsSpecial: Bool) {
    self.text = text
    self.allowsSpecial = allowsSpecial
  }
}
