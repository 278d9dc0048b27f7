import Synchronization

/// The tokens of a model as bytes: built once a model, shared by every matcher.
///
/// ```swift
/// let vocabulary = Vocabulary(tokens: words.map { Array($0.utf8) } + [nil], controls: ["<eos>": 5], endTokens: [5])
/// ```
public final class Vocabulary: Sendable {
  /// Ids are `0 ..< count`.
  public let count: Int

  /// Ids of control tokens by spelling; text never produces them.
  public let controls: [String: Int]

  /// Ids that end the output; allowed exactly when the text is complete.
  public let endTokens: [Int]

  /// All token bytes in id order; token `id` is `offsets[id] ..< offsets[id + 1]`.
  let bytes: [UInt8]
  let offsets: [Int32]

  private let lazyTrie = Mutex<TokenTrie?>(nil)
  let freeStrings = Mutex<[Bool: FreeStringMasks]>([:])

  /// - Parameters:
  ///   - tokens: the bytes of each id; `nil` or empty for ids that text never produces (control, unused).
  ///   - controls: spelling → id of control tokens.
  ///   - endTokens: the ids that end the output.
  public init(tokens: [[UInt8]?], controls: [String: Int], endTokens: [Int]) {
    count = tokens.count
    self.controls = controls.filter { tokens.indices.contains($0.value) }
    self.endTokens = endTokens.filter(tokens.indices.contains)
    var bytes: [UInt8] = []
    var offsets: [Int32] = [0]
    offsets.reserveCapacity(tokens.count + 1)
    let never = Set(self.endTokens)
    for (id, token) in tokens.enumerated() {
      if let token, !never.contains(id) { bytes.append(contentsOf: token) }
      offsets.append(Int32(truncatingIfNeeded: bytes.count))
    }
    self.bytes = bytes
    self.offsets = offsets
  }

  /// The bytes of `id`; empty when text never produces it.
  public func bytes(of id: Int) -> ArraySlice<UInt8> {
    guard id >= 0, id < count else { return [] }
    return bytes[Int(offsets[id])..<Int(offsets[id + 1])]
  }

  /// The trie over all token bytes, built at first use.
  var trie: TokenTrie {
    lazyTrie.withLock { trie in
      if let trie { return trie }
      let built = TokenTrie(bytes: bytes, offsets: offsets)
      trie = built
      return built
    }
  }
}
