package import ChatTemplate
package import Tokenizer

/// The tokenizer as the engine sees it.
package struct TokenizerCodec: TextCodec {
  private let tokenizer: Tokenizer
  package let controlIDs: Set<Int>

  package init(_ tokenizer: Tokenizer) {
    self.tokenizer = tokenizer
    controlIDs = Set(tokenizer.controlTokens.values)
  }

  package var vocabularySize: Int { tokenizer.vocabularySize }
  package var controlTokens: [String: Int] { tokenizer.controlTokens }
  package var endOfTurn: Set<Int> { tokenizer.endOfTurn }
  package var leading: Int? { tokenizer.addsBOS ? tokenizer.bos : nil }

  package func bytes(of id: Int) -> [UInt8] { tokenizer.bytes(of: id) }

  package func spelling(of id: Int) -> [UInt8] { tokenizer.bytes(of: id, showsControl: true) }

  package func encode(_ segments: [PromptSegment]) -> [Int] {
    tokenizer.encode(segments.map { TextPiece($0.text, allowsSpecial: $0.isTemplate) })
  }

  package func encode(bytes: [UInt8]) -> [Int] { tokenizer.encode(bytes: bytes) }
}
