/// One text being encoded: the tokens found so far and the working memory.
///
/// Invariant of the pointer: the text outlives the encoder, which is used only within the call that lends it.
struct TextEncoder {
  private let tokenizer: Tokenizer
  private let bytes: UnsafeBufferPointer<UInt8>
  private let merger: BytePairMerger
  private let looksUpWholePieces: Bool
  private var scanner: TextScanner
  private var cache: PieceCache
  private var spelling: [UInt8] = []
  var ids: [Int] = []

  init(_ tokenizer: Tokenizer, _ bytes: UnsafeBufferPointer<UInt8>) {
    self.tokenizer = tokenizer
    self.bytes = bytes
    merger = BytePairMerger(tokenizer.merges, byteIDs: tokenizer.byteIDs)
    looksUpWholePieces = tokenizer.preTokenizer.looksUpWholePieces
    scanner = TextScanner(bytes)
    cache = PieceCache(byteCount: bytes.count)
    ids.reserveCapacity(bytes.count / 3)
  }

  /// All tokens found.
  func finish() -> [Int] {
    scanner.publish()
    return ids
  }

  /// Encodes a part of the text as if it were all of it.
  mutating func encode(_ part: Range<Int>) {
    scanner.limit(to: part.upperBound)
    var start = part.lowerBound
    while start < part.upperBound {
      // A rule always moves on; if one didn't, the text would still come to its end.
      let end = max(scanner.pieceEnd(from: start, tokenizer.preTokenizer), start + 1)
      encodePiece(start..<end)
      start = end
    }
  }

  private mutating func encodePiece(_ piece: Range<Int>) {
    guard let key = cache.key(bytes, piece) else { return mergePiece(piece) }
    if cache.append(key, to: &ids) { return }
    let count = ids.count
    mergePiece(piece)
    cache.insert(key, ids[count...])
  }

  private mutating func mergePiece(_ piece: Range<Int>) {
    if looksUpWholePieces, piece.count <= tokenizer.longestSpelling, let id = wholePiece(piece) {
      ids.append(id)
      return
    }
    // Positions of a piece are kept in 32 bits; no real text has a piece of two gigabytes.
    var start = piece.lowerBound
    while start < piece.upperBound {
      let end = min(piece.upperBound, start + LongPiece.maximumLength)
      merger.merge(UnsafeBufferPointer(rebasing: bytes[start..<end]), into: &ids)
      start = end
    }
  }

  /// The token that spells the whole piece, if there is one.
  private mutating func wholePiece(_ piece: Range<Int>) -> Int? {
    spelling.removeAll(keepingCapacity: true)
    for byte in bytes[piece] {
      let letter = tokenizer.letters[Int(byte)]
      spelling.append(letter.first)
      if letter.second != 0 { spelling.append(letter.second) }
    }
    return spelling.withUnsafeBytes { tokenizer.vocabulary.id(of: $0) }
  }
}
