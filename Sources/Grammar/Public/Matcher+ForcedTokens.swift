extension Matcher {
  /// The tokens of the text that must come next, so that they can be appended as one batch without asking the model.
  ///
  /// They are the tokens that `encode` gives for the finished text: tokens at the end of the forced text that a longer
  /// token could still swallow are left out, and nothing is forced where the committed tokens would have to change.
  ///
  /// - Parameters:
  ///   - committed: the tokens of the text so far, the latest last.
  ///   - encode: the tokenizer, without control tokens and without a beginning-of-text token.
  /// - Returns: tokens that ``accept(token:)`` takes one after the other; often none.
  public func forcedTokens(after committed: [Int], encode: ([UInt8]) -> [Int]) -> [Int] {
    let forced = Self.wholeCharacters(forcedBytes())
    if forced.isEmpty { return [] }
    let vocabulary = core.vocabulary
    guard let tail = Self.tail(of: committed, vocabulary) else { return [] }
    let before = tail.flatMap { vocabulary.bytes(of: $0) }
    let text = before + forced
    let tokens = encode(text)
    guard tokens.starts(with: tail) else { return [] }
    let safe = core.safeLength(forcedState(forced), text)
    var result: [Int] = []
    var length = before.count
    for token in tokens.dropFirst(tail.count) {
      let bytes = vocabulary.bytes(of: token)
      length += bytes.count
      if bytes.isEmpty || length > safe { break }
      result.append(token)
    }
    return result
  }

  /// Without a character at the end that is not whole: half characters are split in other places than whole ones.
  private static func wholeCharacters(_ bytes: [UInt8]) -> [UInt8] {
    var end = bytes.count
    while end > 0, bytes.count - end < 4, bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
    guard end > 0, bytes[end - 1] >= 0xC0 else { return bytes }
    let lead = bytes[end - 1]
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return bytes.count - end + 1 == length ? bytes : Array(bytes[..<(end - 1)])
  }

  /// The last committed tokens, from a place where every pre-tokeniser starts anew: a space after something that is no
  /// white space. `nil` when there is none near by.
  private static func tail(of committed: [Int], _ vocabulary: Vocabulary) -> [Int]? {
    var start = committed.count
    while start > 0 {
      start -= 1
      if committed.count - start > 64 { return nil }
      let bytes = vocabulary.bytes(of: committed[start])
      if bytes.isEmpty { return Array(committed[(start + 1)...]) }
      guard start > 0, bytes.count > 1, bytes.first == 0x20, let second = bytes.dropFirst().first, second > 0x20,
        let last = vocabulary.bytes(of: committed[start - 1]).last, last > 0x20
      else { continue }
      return Array(committed[start...])
    }
    return Array(committed[start...])
  }
}
