extension TextScanner {
  /// The rule of Llama 3, published with its tokenizer:
  ///
  ///     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+
  ///       |\s+(?!\S)|\s+
  ///
  /// Qwen2's differs in taking digits one by one.
  mutating func llama3PieceEnd(from start: Int, maximumDigits: Int) -> Int {
    if let end = contractionEnd(from: start, ignoringCase: true) { return end }
    guard let first = scalar(at: start) else { return start }
    switch first.kind {
    case .letter: return run(of: .letter, from: first.next)
    case .number: return digitsEnd(from: start, maximum: maximumDigits)
    case .other, .space:
      let second = scalar(at: first.next)
      if let second, second.kind == .letter { return run(of: .letter, from: second.next) }
      if first.kind == .other { return symbolsEnd(from: first.next) }
      if let second, second.kind == .other, holds(UInt8(ascii: " "), at: start) { return symbolsEnd(from: second.next) }
    case .lineBreak: break
    }
    let space = whitespace(from: start)
    if let end = space.lineBreakEnd { return end }
    if space.end == end { return end }
    // The last whitespace scalar is left to what follows, unless it is the only one.
    return space.last > start ? space.last : space.end
  }

  private mutating func digitsEnd(from start: Int, maximum: Int) -> Int {
    var index = start
    for _ in 0..<maximum {
      guard let scalar = scalar(at: index), scalar.kind == .number else { break }
      index = scalar.next
    }
    return index
  }

  /// The end of the symbols from `index` on and of the line breaks right behind them.
  private mutating func symbolsEnd(from index: Int) -> Int {
    run(of: .lineBreak, from: run(of: .other, from: index))
  }
}
