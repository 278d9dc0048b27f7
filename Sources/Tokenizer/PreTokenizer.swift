/// The rule that cuts a text into pieces before merging; no token reaches over a cut.
///
/// Each is the rule that a model family was trained with, written in its documentation as a regular expression and here
/// as a scanner that reads every scalar a bounded number of times.
enum PreTokenizer: Sendable, CaseIterable {
  case gpt2
  case smollm
  case llamaBPE
  case qwen2

  /// The rule of that name in `tokenizer.ggml.pre`; nil for a name that isn't known.
  init?(name: String) {
    switch name {
    case "gpt-2", "phi-2", "olmo", "mpt": self = .gpt2
    case "smollm", "starcoder", "refact", "command-r", "codeshell": self = .smollm
    case "llama-bpe", "llama3", "llama-v3", "falcon3": self = .llamaBPE
    case "qwen2", "deepseek-r1-qwen": self = .qwen2
    default: return nil
    }
  }

  /// The name under which the rule is best known.
  var name: String {
    switch self {
    case .gpt2: "gpt-2"
    case .smollm: "smollm"
    case .llamaBPE: "llama-bpe"
    case .qwen2: "qwen2"
    }
  }

  /// Whether a piece that is in the vocabulary as a whole is taken from there, even where merging would not lead to it.
  var looksUpWholePieces: Bool { self == .llamaBPE }

  /// Whether the model's vocabulary expects a beginning-of-text token where the file doesn't say.
  var addsBOSByDefault: Bool { self == .llamaBPE }
}

extension TextScanner {
  /// Where the piece that begins at `start` ends. `start` must lie before the end.
  mutating func pieceEnd(from start: Int, _ rule: PreTokenizer) -> Int {
    switch rule {
    case .gpt2: gpt2PieceEnd(from: start, singleDigits: false)
    case .smollm: gpt2PieceEnd(from: start, singleDigits: true)
    case .llamaBPE: llama3PieceEnd(from: start, maximumDigits: 3)
    case .qwen2: llama3PieceEnd(from: start, maximumDigits: 1)
    }
  }

  /// Whether the byte at `index` is `byte`; false at the end.
  func holds(_ byte: UInt8, at index: Int) -> Bool {
    index < end && bytes[index] == byte
  }

  /// The end of an English contraction (`'s 't 'd 'm 're 've 'll`) that begins at `start`, if there is one.
  ///
  /// Without regard to case, a long s (U+017F, in UTF-8 C5 BF) is an s too, as simple case folding has it.
  func contractionEnd(from start: Int, ignoringCase: Bool) -> Int? {
    guard holds(UInt8(ascii: "'"), at: start) else { return nil }
    let fold: UInt8 = ignoringCase ? 0x20 : 0
    func letter(_ offset: Int) -> UInt8 { start + offset < end ? bytes[start + offset] | fold : 0 }
    switch letter(1) {
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "m"): return start + 2
    case UInt8(ascii: "r"), UInt8(ascii: "v"): return letter(2) == UInt8(ascii: "e") ? start + 3 : nil
    case UInt8(ascii: "l"): return letter(2) == UInt8(ascii: "l") ? start + 3 : nil
    default: return ignoringCase && holds(0xC5, at: start + 1) && holds(0xBF, at: start + 2) ? start + 3 : nil
    }
  }
}
