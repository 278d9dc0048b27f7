import GGUF

/// Reads the `tokenizer.ggml.*` keys and checks them.
struct VocabularyMetadata {
  private let metadata: Metadata
  private static let prefix = "tokenizer.ggml."

  init(_ metadata: Metadata) {
    self.metadata = metadata
  }

  /// Throws unless the vocabulary is a byte-level byte-pair one.
  func checkModel() throws(TokenizerError) {
    let key = Self.prefix + "model"
    guard let model = try read({ () throws(GGUFError) in try metadata.string(key) }) else { throw .missing(key: key) }
    guard model == "gpt2" else {
      throw .unsupported(key: key, value: model, supported: ["gpt2 (byte-level byte-pair encoding)"])
    }
  }

  /// The splitting rule. A file that names none gets GPT-2's, with a warning; an unknown name is refused.
  func preTokenizer(_ warnings: inout [String]) throws(TokenizerError) -> PreTokenizer {
    let key = Self.prefix + "pre"
    guard let name = try read({ () throws(GGUFError) in try metadata.string(key) }) else {
      warnings.append("key \"\(key)\" is missing: texts are split by GPT-2's rule, which may not be the model's")
      return .gpt2
    }
    guard let rule = PreTokenizer(name: name) else {
      throw .unsupported(key: key, value: name, supported: PreTokenizer.allCases.map(\.name))
    }
    return rule
  }

  func spellings() throws(TokenizerError) -> Spellings {
    let key = Self.prefix + "tokens"
    guard let tokens = try read({ () throws(GGUFError) in try metadata.strings(key) }) else { throw .missing(key: key) }
    guard tokens.count > 0 else { throw .invalid(key: key, reason: "the vocabulary is empty") }
    guard tokens.count < Int32.max else { throw .invalid(key: key, reason: "\(tokens.count) tokens are too many") }
    guard let spellings = Spellings(tokens) else { throw .invalid(key: key, reason: "the vocabulary is too large") }
    return spellings
  }

  func merges() throws(TokenizerError) -> StringArray {
    let key = Self.prefix + "merges"
    guard let merges = try read({ () throws(GGUFError) in try metadata.strings(key) }) else { throw .missing(key: key) }
    guard merges.count < Int32.max else { throw .invalid(key: key, reason: "\(merges.count) merges are too many") }
    return merges
  }

  /// The kinds of the tokens; a file without them marks its control tokens by their form `<|…|>` only.
  func kinds(of spellings: Spellings, _ warnings: inout [String]) throws(TokenizerError) -> [TokenKind] {
    let key = Self.prefix + "token_type"
    guard let types = try read({ () throws(GGUFError) in try metadata.integers(key) }) else {
      warnings.append("key \"\(key)\" is missing: only tokens of the form <|…|> are taken for control tokens")
      return (0..<spellings.count).map { Self.looksLikeControl(spellings[$0]) ? .control : .normal }
    }
    guard types.count == spellings.count else {
      throw .invalid(key: key, reason: "\(types.count) types for \(spellings.count) tokens")
    }
    var kinds: [TokenKind] = []
    kinds.reserveCapacity(types.count)
    for (id, type) in types.enumerated() {
      guard let kind = UInt8(exactly: type).flatMap(TokenKind.init) else {
        throw .invalid(key: key, reason: "token \(id) has the type \(type), which doesn't exist")
      }
      kinds.append(kind != .control && Self.isPadding(spellings[id], id) ? .unused : kind)
    }
    return kinds
  }

  /// The tokens that the file names by keys such as `bos_token_id`; an id beyond the vocabulary is left out.
  func namedTokens(count: Int, _ warnings: inout [String]) throws(TokenizerError) -> [String: Int] {
    var tokens: [String: Int] = [:]
    for name in ["bos_token_id"] + EndOfTurn.keys {
      let key = Self.prefix + name
      guard let id = try read({ () throws(GGUFError) in try metadata.integer(key) }) else { continue }
      if (0..<count).contains(id) {
        tokens[name] = id
      } else {
        warnings.append("key \"\(key)\": token \(id) doesn't exist among \(count); the key is ignored")
      }
    }
    return tokens
  }

  func addsBOS() throws(TokenizerError) -> Bool? {
    try read { () throws(GGUFError) in try metadata.bool(Self.prefix + "add_bos_token") }
  }

  /// Whether a token is spelled `[PAD1234]` with its own id: converters fill a vocabulary up with those, and some give
  /// them the kind of a text.
  private static func isPadding(_ spelling: UnsafeRawBufferPointer, _ id: Int) -> Bool {
    spelling.first == UInt8(ascii: "[") && spelling.elementsEqual("[PAD\(id)]".utf8)
  }

  private static func looksLikeControl(_ spelling: UnsafeRawBufferPointer) -> Bool {
    spelling.count > 4 && spelling.prefix(2).elementsEqual("<|".utf8) && spelling.suffix(2).elementsEqual("|>".utf8)
  }

  private func read<Value>(_ body: () throws(GGUFError) -> Value) throws(TokenizerError) -> Value {
    do { return try body() } catch { throw .file(error) }
  }
}
