import GGUF
import Tokenizer

/// Text as a model's tokens, and back; works on files without weights.
package struct TokenizerInspection: Sendable {
  private let tokenizer: Tokenizer

  /// Reads the tokenizer of the file at `path`.
  ///
  /// - Throws: `GGUFError` or `TokenizerError`, one line each.
  package init(path: String) throws {
    tokenizer = try Tokenizer(try GGUFFile(path: path))
  }

  /// The ids of a text; bytes that are no UTF-8 become the tokens of those bytes.
  ///
  /// - Parameters:
  ///   - special: whether spellings of control tokens are those tokens.
  ///   - addsBOS: whether the token that begins every prompt comes first, if the model has one.
  package func ids(of bytes: [UInt8], special: Bool, addsBOS: Bool) -> [Int] {
    let ids = tokenizer.encode(bytes: bytes, special: special)
    guard addsBOS, let bos = tokenizer.bos else { return ids }
    return [bos] + ids
  }

  /// What a token stands for; of a control token its spelling. Half characters show as U+FFFD.
  package func text(of id: Int) -> String {
    String(decoding: tokenizer.bytes(of: id, showsControl: true), as: UTF8.self)
  }

  /// The text of ids, put together before it is decoded. Unknown ids are left out.
  package func text(of ids: [Int]) -> String {
    tokenizer.decode(ids.filter { (0..<tokenizer.vocabularySize).contains($0) }, showsControl: true)
  }
}
