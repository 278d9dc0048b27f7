package import GGUF

/// Text to token ids and back: byte-level byte-pair encoding as the vocabulary in a GGUF file defines it.
///
/// ```swift
/// let tokenizer = try Tokenizer(GGUFFile(path: "model.gguf"))
/// let ids = tokenizer.encode("Hello world")
/// tokenizer.decode(ids)   // "Hello world"
/// ```
///
/// Any bytes can be encoded, and decoding gives back the same bytes. Ids beyond the vocabulary (models pad their output)
/// stand for nothing. Texts are taken as they are: no Unicode normalization, no space put in front.
package final class Tokenizer: Sendable {
  let vocabulary: VocabularyTable
  let merges: MergeTable
  let preTokenizer: PreTokenizer
  let special: SpecialTokens
  let kinds: [TokenKind]
  /// The token of each single byte; `BytePairMerger.noToken` for a byte that the vocabulary lacks.
  let byteIDs: [UInt32]
  /// How the vocabulary spells each byte.
  let letters = ByteAlphabet.spelling
  /// No spelling is longer than this many bytes.
  let longestSpelling: Int

  /// The ids of control and user-defined tokens by their spelling.
  package let controlTokens: [String: Int]
  /// The beginning-of-text token.
  package let bos: Int?
  /// The end-of-text token that the file names.
  package let eos: Int?
  /// Every token that ends a turn or a text: those that the file names and those known by their spelling.
  package let endOfTurn: Set<Int>
  /// Whether the model expects `bos` in front of a text. `encode` never adds it by itself.
  package let addsBOS: Bool
  /// What is odd about the file's tokenizer without making it unusable, one line each.
  package let warnings: [String]

  /// Reads the tokenizer of `file`.
  ///
  /// - Throws: `TokenizerError` when there is none, or when it is of a kind that isn't supported; no other rule is put in
  ///   the place of an unknown one.
  /// - Complexity: linear in the size of the vocabulary; no string is copied.
  package init(_ file: GGUFFile) throws(TokenizerError) {
    let metadata = VocabularyMetadata(file.metadata)
    var warnings: [String] = []
    try metadata.checkModel()
    preTokenizer = try metadata.preTokenizer(&warnings)
    let spellings = try metadata.spellings()
    var kinds = try metadata.kinds(of: spellings, &warnings)
    let named = try metadata.namedTokens(count: spellings.count, &warnings)
    bos = named["bos_token_id"]
    eos = named["eos_token_id"]
    addsBOS = try metadata.addsBOS() ?? preTokenizer.addsBOSByDefault

    endOfTurn = EndOfTurn.find(in: spellings, kinds, named: named)
    for id in endOfTurn.union([bos].compactMap(\.self)) where kinds[id] == .normal { kinds[id] = .control }
    self.kinds = kinds

    vocabulary = VocabularyTable(spellings) { kinds[$0].isText }
    merges = try MergeTable(metadata.merges(), vocabulary: vocabulary)
    if merges.unresolved > 0 {
      warnings.append("\(merges.unresolved) merges name tokens that the vocabulary lacks; they never apply")
    }
    byteIDs = Self.byteIDs(vocabulary, kinds)
    let missing = byteIDs.count { $0 == BytePairMerger.noToken }
    if missing > 0 { warnings.append("\(missing) of 256 bytes have no token; they are left out of what is encoded") }
    (special, controlTokens) = Self.findSpecialTokens(spellings, kinds)
    longestSpelling = spellings.longest
    self.warnings = warnings
  }

  /// The number of ids that have a text.
  package var vocabularySize: Int { vocabulary.count }

  /// What `id` stands for; `unused` beyond the vocabulary.
  package func kind(of id: Int) -> TokenKind {
    kinds.indices.contains(id) ? kinds[id] : .unused
  }

  private static func byteIDs(_ vocabulary: VocabularyTable, _ kinds: [TokenKind]) -> [UInt32] {
    var ids = ByteAlphabet.spelling.map { spelling -> UInt32 in
      let bytes = spelling.second == 0 ? [spelling.first] : [spelling.first, spelling.second]
      return bytes.withUnsafeBytes { vocabulary.id(of: $0) }.map { UInt32($0) } ?? BytePairMerger.noToken
    }
    // A vocabulary may spell bytes as <0x41> instead.
    for (id, kind) in kinds.enumerated() where kind == .byte {
      guard let byte = vocabulary.spellings.byteToken(id), ids[Int(byte)] == BytePairMerger.noToken else { continue }
      ids[Int(byte)] = UInt32(id)
    }
    return ids
  }

  private static func findSpecialTokens(
    _ spellings: Spellings, _ kinds: [TokenKind]
  ) -> (SpecialTokens, [String: Int]) {
    var special = SpecialTokens()
    var ids: [String: Int] = [:]
    for (id, kind) in kinds.enumerated() where kind.isSpecial {
      special.insert(spellings[id], id: id, isControl: kind != .userDefined)
      let spelling = spellings.text(of: id)
      if kind != .unknown, ids[spelling] == nil { ids[spelling] = id }
    }
    return (special, ids)
  }
}

extension TokenKind {
  /// Whether merging can lead to such a token.
  var isText: Bool { self == .normal || self == .userDefined }

  /// Whether such a token is found by its spelling before a text is split.
  var isSpecial: Bool { self == .control || self == .userDefined || self == .unknown }
}
