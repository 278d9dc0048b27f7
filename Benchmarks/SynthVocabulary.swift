import GGUF

/// A made-up byte-level BPE vocabulary of a given size: 256 bytes, then made-up words with the merges that lead to them,
/// then control tokens of the Llama-3 kind.
struct SynthVocabulary {
  let tokens: [String]
  let types: [Int32]
  let merges: [String]
  let bos: Int
  let eos: Int

  init(count: Int) {
    let controls = [
      "<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eom_id|>", "<|eot_id|>",
    ]
    var words: [String] = []
    var merges: [String] = []
    let wanted = max(0, count - 256 - controls.count)
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
    // Every longer word is one that is there already and a letter, so that merging finds it.
    var previous = letters
    while words.count < wanted {
      var longer: [String] = []
      for word in previous {
        for letter in letters where words.count < wanted {
          merges.append("\(word) \(letter)")
          words.append(word + letter)
          longer.append(word + letter)
        }
      }
      previous = longer
    }
    tokens = Self.byteSpellings + words + controls
    types = [Int32](repeating: 1, count: 256 + words.count) + controls.map { _ in 3 }
    self.merges = merges
    bos = 256 + words.count
    eos = bos + 5
  }

  func add(to writer: inout GGUFWriter) {
    writer["tokenizer.ggml.model"] = .string("gpt2")
    writer["tokenizer.ggml.pre"] = .string("llama-bpe")
    writer["tokenizer.ggml.tokens"] = .strings(tokens)
    writer["tokenizer.ggml.token_type"] = .int32s(types)
    writer["tokenizer.ggml.merges"] = .strings(merges)
    writer["tokenizer.ggml.bos_token_id"] = .uint32(UInt32(bos))
    writer["tokenizer.ggml.eos_token_id"] = .uint32(UInt32(eos))
    writer["tokenizer.ggml.add_bos_token"] = .bool(true)
  }

  /// How byte-level BPE spells the 256 bytes: printable ones as themselves, the others as U+0100 and up.
  private static var byteSpellings: [String] {
    var next: UInt32 = 256
    return (UInt32(0)...255).map { byte in
      let isPrintable = (33...126).contains(byte) || (161...172).contains(byte) || (174...255).contains(byte)
      let code = isPrintable ? byte : next
      if !isPrintable { next += 1 }
      return Unicode.Scalar(code).map { String(Character($0)) } ?? ""
    }
  }
}
