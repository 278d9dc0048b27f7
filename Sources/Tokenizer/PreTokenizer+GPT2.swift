extension TextScanner {
  /// The rule of GPT-2, published with its encoder:
  ///
  ///     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
  ///
  /// With `singleDigits`, every number scalar is first cut out as a piece of its own, and the rule then applies to the
  /// parts between them as if each were a whole text (SmolLM, StarCoder).
  mutating func gpt2PieceEnd(from start: Int, singleDigits: Bool) -> Int {
    if let end = contractionEnd(from: start, ignoringCase: false) { return end }
    guard let first = scalar(at: start) else { return start }
    switch first.kind {
    case .number: return singleDigits ? first.next : run(of: .number, from: start)
    case .letter, .other: return run(of: first.kind, from: first.next)
    case .space, .lineBreak: break
    }
    if holds(UInt8(ascii: " "), at: start), let second = scalar(at: first.next), !second.kind.isWhitespace,
      second.kind != .number || !singleDigits
    {
      return run(of: second.kind, from: second.next)
    }
    let space = whitespace(from: start)
    guard let next = scalar(at: space.end), !(singleDigits && next.kind == .number) else { return space.end }
    // The last whitespace scalar is left to what follows, unless it is the only one.
    return space.last > start ? space.last : space.end
  }

  /// The whitespace that begins at `start`: its end, where its last scalar begins, and where its last line break ends.
  mutating func whitespace(from start: Int) -> (end: Int, last: Int, lineBreakEnd: Int?) {
    var end = start
    var last = start
    var lineBreakEnd: Int?
    while let scalar = scalar(at: end), scalar.kind.isWhitespace {
      last = end
      end = scalar.next
      if scalar.kind == .lineBreak { lineBreakEnd = end }
    }
    return (end, last, lineBreakEnd)
  }
}
