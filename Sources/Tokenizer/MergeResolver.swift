import GGUF

/// Turns the lines of a merge list into ids.
struct MergeResolver {
  /// Stands for the pair of a line that names a token which the vocabulary lacks.
  static let unresolved = UInt64.max

  /// By rank: the pair (left id above, right id below) and the id of the two joined.
  ///
  /// - Throws: `TokenizerError.invalid` for a line that is not two tokens with a space between.
  static func resolve(
    _ lines: StringArray, _ vocabulary: VocabularyTable
  ) throws(TokenizerError) -> (pairs: [UInt64], results: [UInt32]) {
    var resolver = MergeResolver(lines, vocabulary)
    for rank in 0..<lines.count {
      guard resolver.resolve(rank) else {
        throw .invalid(key: "tokenizer.ggml.merges", reason: "entry \(rank) is not two tokens with a space between")
      }
    }
    return (resolver.pairs, resolver.results)
  }

  private let lines: StringArray
  private let vocabulary: VocabularyTable
  private var pairs: [UInt64]
  private var results: [UInt32]
  /// Two tokens joined.
  private var joined = [UInt8](repeating: 0, count: 256)
  private var last = 0

  private init(_ lines: StringArray, _ vocabulary: VocabularyTable) {
    self.lines = lines
    self.vocabulary = vocabulary
    pairs = [UInt64](repeating: Self.unresolved, count: lines.count)
    results = [UInt32](repeating: 0, count: lines.count)
  }

  /// Resolves one line; false when it isn't of the right form.
  private mutating func resolve(_ rank: Int) -> Bool {
    let line = lines[rank]
    guard let base = line.baseAddress, let space = Self.separator(in: line) else { return false }
    let left = UnsafeRawBufferPointer(start: base, count: space)
    let right = UnsafeRawBufferPointer(start: base + space + 1, count: line.count - space - 1)
    guard let leftID = vocabulary.id(of: left), let rightID = vocabulary.id(of: right) else { return true }
    if line.count > joined.count { joined = [UInt8](repeating: 0, count: 2 * line.count) }
    let id = joined.withUnsafeMutableBytes { joined in
      joined.copyMemory(from: left)
      UnsafeMutableRawBufferPointer(rebasing: joined[space...]).copyMemory(from: right)
      return vocabulary.id(of: UnsafeRawBufferPointer(rebasing: joined[..<(line.count - 1)]), near: last)
    }
    guard let id else { return true }
    pairs[rank] = UInt64(leftID) << 32 | UInt64(rightID)
    results[rank] = UInt32(id)
    last = id
    return true
  }

  /// Where the space between the two tokens stands. A token is at least one byte long, so it can't be the first byte,
  /// nor the last.
  @inline(__always)
  private static func separator(in line: UnsafeRawBufferPointer) -> Int? {
    var index = 1
    while index + 1 < line.count {
      if line[index] == UInt8(ascii: " ") { return index }
      index += 1
    }
    return nil
  }
}
