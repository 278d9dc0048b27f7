extension Matcher {
  /// The tokens of the text that must come next, so that they can be appended as one batch without asking the model.
  ///
  /// See ``forced(after:encode:)``.
  public func forcedTokens(after committed: [Int], encode: ([UInt8]) -> [Int]) -> [Int] {
    forced(after: committed, encode: encode).tokens
  }

  /// The tokens of the text that must come next, and a guess at the one behind them.
  ///
  /// The tokens are those that `encode` gives for *every* text that the grammar allows from here: a token at the end of the
  /// forced text is left out exactly when some allowed continuation would be cut otherwise. To find out, each vocabulary
  /// token that could straddle the end and go on as the grammar allows is tried on `encode` itself, so that rules by
  /// which the tokenizer splits text before merging are honoured.
  ///
  /// - Parameters:
  ///   - committed: the tokens of the text so far, the latest last; the last 64 are enough.
  ///   - encode: the tokenizer, without control tokens and without a beginning-of-text token. It must be one that cuts a
  ///     beginning of a text, up to the end of a token, like the whole text (byte-pair encoding and longest match do;
  ///     rules that look one character ahead are allowed for). It must not use this matcher.
  /// - Returns: tokens that ``accept(token:)`` takes one after the other.
  /// - Complexity: one call of `encode` on up to some hundred bytes for each token that could straddle; at most 2,000.
  public func forced(after committed: [Int], encode: ([UInt8]) -> [Int]) -> ForcedTokens {
    var result = ForcedTokens()
    let vocabulary = core.vocabulary
    let forced = Self.wholeCharacters(forcedBytes(limit: 512))
    guard !forced.isEmpty, let tail = Self.tail(of: committed, vocabulary, before: forced) else { return result }
    var before: [UInt8] = []
    for token in tail { before += vocabulary.bytes(of: token) }
    let text = before + forced
    let tokens = encode(text)
    var ends: [Int] = []
    var length = 0
    for token in tokens {
      length += vocabulary.bytes(of: token).count
      ends.append(length)
    }
    guard length == text.count else { return result }
    // Forced tokens begin where the committed ones end, else those would have to change.
    let first = before.isEmpty ? 0 : (ends.firstIndex(of: before.count) ?? tokens.count) + 1
    guard first < tokens.count else { return result }

    let state = forcedState(forced)
    var sure = tokens.count
    func unchanged(by rest: [UInt8]) -> Int {
      let other = encode(text + rest)
      var same = 0
      while same < min(sure, other.count), other[same] == tokens[same] { same += 1 }
      return same
    }
    let followers = core.plainFollowers(state)
    let usual = followers.map { unchanged(by: $0) }.min() ?? 0
    // White space at the end is cut by what follows it, so here the straddling tokens don't tell everything.
    if !followers.isEmpty, let last = text.last, last <= 0x20 { sure = min(sure, usual) }
    for start in max(0, text.count - vocabulary.trie.longest)..<text.count {
      // What begins behind the tokens that are still sure can't change them.
      guard sure > first, start < ends[sure - 1] else { break }
      guard let rests = core.remainders(state, of: text[start...], limit: 2_000) else {
        sure = ends.firstIndex { $0 > start } ?? 0
        continue
      }
      for rest in rests {
        sure = min(sure, unchanged(by: rest))
        if sure <= first || start >= ends[sure - 1] { break }
      }
    }
    if sure > first { result.tokens = Array(tokens[first..<sure]) }
    if sure >= first, usual > sure { result.guess = tokens[sure] }
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
  private static func tail(of committed: [Int], _ vocabulary: Vocabulary, before forced: [UInt8]) -> [Int]? {
    var start = committed.count
    if forced.count > 1, forced[0] == 0x20, forced[1] > 0x20, start > 0,
      let last = vocabulary.bytes(of: committed[start - 1]).last, last > 0x20
    {
      return []
    }
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
