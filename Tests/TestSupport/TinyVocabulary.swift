/// A made-up byte-level BPE vocabulary: the 256 bytes, a few merges, and the control tokens of two model families.
package struct TinyVocabulary: Sendable {
  package let tokens: [String]
  /// Token types of the GGUF format: 1 normal, 3 control, 4 user-defined.
  package let types: [Int32]
  package let merges: [String]

  /// Spellings that a tokenizer must treat as one token.
  package static let controls = [
    "<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eom_id|>", "<|eot_id|>",
    "<|python_tag|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>",
  ]
  package static let userDefined = ["<tool_call>", "</tool_call>"]

  package init() {
    merges = [
      "h e", "l l", "he ll", "hell o", "Ġ w", "o r", "Ġw or", "Ġwor l", "Ġworl d", "\" :", "{ \"", "i n", "t h",
    ]
    let merged = merges.map { $0.split(separator: " ").joined() }
    let plain = Self.byteSpellings + merged
    tokens = plain + Self.controls + Self.userDefined
    types =
      plain.map { _ in 1 } + Self.controls.map { _ in 3 } + Self.userDefined.map { _ in 4 }
  }

  package func id(_ token: String) -> Int? {
    // Scalars, not canonical equivalence: spellings of bytes must not fall together.
    tokens.firstIndex { $0.unicodeScalars.elementsEqual(token.unicodeScalars) }
  }

  /// How byte-level BPE spells the 256 bytes: printable ones as themselves, the others as U+0100 and up.
  package static let byteSpellings: [String] = {
    var next: UInt32 = 256
    return (UInt32(0)...255).map { byte in
      let isPrintable = (33...126).contains(byte) || (161...172).contains(byte) || (174...255).contains(byte)
      let code = isPrintable ? byte : next
      if !isPrintable { next += 1 }
      return Unicode.Scalar(code).map { String(Character($0)) } ?? ""
    }
  }()
}
