/// Reads ECMA-262 regular expressions (the syntax of JSON Schema's `pattern`) in Unicode mode.
struct PatternParser {
  private let symbols: [UInt32]
  private var place = 0
  private var depth = 0

  /// - Throws: `PatternError` for wrong syntax, back-references and look-behind.
  static func parse(_ text: String) throws(PatternError) -> PatternTree {
    var parser = PatternParser(symbols: text.unicodeScalars.map(\.value))
    let tree = try parser.alternatives()
    guard parser.place == parser.symbols.count else { throw PatternError(reason: "unmatched \")\" in the pattern") }
    return tree
  }

  private init(symbols: [UInt32]) {
    self.symbols = symbols
  }

  private var next: UInt32? { place < symbols.count ? symbols[place] : nil }

  private mutating func take(_ text: String) -> Bool {
    let wanted = text.unicodeScalars.map(\.value)
    guard symbols[place...].starts(with: wanted) else { return false }
    place += wanted.count
    return true
  }

  private mutating func alternatives() throws(PatternError) -> PatternTree {
    depth += 1
    defer { depth -= 1 }
    guard depth < 100 else { throw PatternError(reason: "the pattern is nested too deeply") }
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .union(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree {
    var parts: [PatternTree] = []
    while let symbol = next, symbol != "|", symbol != ")" {
      let part = try atom()
      parts.append(try quantified(part))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  /// `atom` with the quantifier behind it, if there is one. A quantifier behind a quantifier is no syntax (`a++`).
  private mutating func quantified(_ atom: PatternTree) throws(PatternError) -> PatternTree {
    let bounds: (Int32, Int32)
    if take("*") {
      bounds = (0, -1)
    } else if take("+") {
      bounds = (1, -1)
    } else if take("?") {
      bounds = (0, 1)
    } else if next == "{", let counted = countedBounds() {
      bounds = counted
    } else {
      return atom
    }
    _ = take("?")
    guard bounds.1 < 0 || bounds.0 <= bounds.1 else { throw PatternError(reason: "repetition bounds out of order") }
    return .repetition(atom, min: bounds.0, max: bounds.1)
  }

  /// `{m}`, `{m,}`, `{m,n}`; anything else is literal text.
  private mutating func countedBounds() -> (Int32, Int32)? {
    let start = place
    place += 1
    guard let lower = number() else {
      place = start
      return nil
    }
    if take("}") { return (lower, lower) }
    guard take(",") else {
      place = start
      return nil
    }
    if take("}") { return (lower, -1) }
    guard let upper = number(), take("}") else {
      place = start
      return nil
    }
    return (lower, upper)
  }

  private mutating func number() -> Int32? {
    var value: Int32?
    while let symbol = next, symbol >= 0x30, symbol <= 0x39 {
      value = min(100_000, (value ?? 0) * 10 + Int32(symbol - 0x30))
      place += 1
    }
    return value
  }

  private mutating func atom() throws(PatternError) -> PatternTree {
    guard let symbol = next else { return .sequence([]) }
    place += 1
    switch symbol {
    case "^": return .start
    case "$": return .end
    case ".": return .set(CodePointSet([(0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029)]).complement)
    case "[": return .set(try bracket())
    case "(": return try group()
    case "\\": return try escape()
    case "*", "+", "?": throw PatternError(reason: "nothing to repeat in the pattern")
    default: return .set(CodePointSet(single: symbol))
    }
  }

  private mutating func group() throws(PatternError) -> PatternTree {
    var lookahead: Bool?
    if take("?:") {
    } else if take("?=") {
      lookahead = false
    } else if take("?!") {
      lookahead = true
    } else if take("?<=") || take("?<!") {
      throw PatternError(reason: "look-behind is not supported")
    } else if take("?<") || take("?P<") {
      while let symbol = next, symbol != ">" { place += 1 }
      place = min(symbols.count, place + 1)
    } else if next == "?" {
      throw PatternError(reason: "unknown group syntax in the pattern")
    }
    let inner = try alternatives()
    guard take(")") else { throw PatternError(reason: "missing \")\" in the pattern") }
    if let lookahead { return .lookahead(inner, isNegative: lookahead) }
    return inner
  }

  private mutating func escape() throws(PatternError) -> PatternTree {
    guard let symbol = next else { throw PatternError(reason: "the pattern ends in a backslash") }
    if symbol == "b" || symbol == "B" {
      place += 1
      return .wordBoundary(isNegative: symbol == "B")
    }
    if symbol == "A" || symbol == "Z" || symbol == "z" {
      place += 1
      return symbol == "A" ? .start : .end
    }
    if symbol >= 0x31, symbol <= 0x39 { throw PatternError(reason: "back-references are not supported") }
    if symbol == "k" { throw PatternError(reason: "back-references are not supported") }
    switch try escaped() {
    case .symbol(let symbol): return .set(CodePointSet(single: symbol))
    case .set(let set): return .set(set)
    }
  }

  private mutating func bracket() throws(PatternError) -> CodePointSet {
    let isNegative = take("^")
    var ranges: [CodePointSet.Range] = []
    while let symbol = next, symbol != "]" {
      let low = try bracketItem()
      if next == "-", place + 1 < symbols.count, symbols[place + 1] != "]", let lower = low.single {
        place += 1
        let high = try bracketItem()
        guard let upper = high.single else {
          ranges += low.set.ranges + CodePointSet(single: 0x2D).ranges + high.set.ranges
          continue
        }
        guard lower <= upper else { throw PatternError(reason: "range out of order in a character class") }
        ranges.append(.init(lower: lower, upper: upper))
      } else {
        ranges += low.set.ranges
      }
    }
    guard take("]") else { throw PatternError(reason: "missing \"]\" in the pattern") }
    return isNegative ? CodePointSet(ranges).complement : CodePointSet(ranges)
  }

  private mutating func bracketItem() throws(PatternError) -> (set: CodePointSet, single: UInt32?) {
    guard let symbol = next else { throw PatternError(reason: "missing \"]\" in the pattern") }
    place += 1
    guard symbol == "\\" else { return (CodePointSet(single: symbol), symbol) }
    if next == "b" {
      place += 1
      return (CodePointSet(single: 8), 8)
    }
    switch try escaped() {
    case .symbol(let symbol): return (CodePointSet(single: symbol), symbol)
    case .set(let set): return (set, nil)
    }
  }

  /// What an escape stands for.
  private enum Escaped {
    /// One code point, which may be half a surrogate pair: such halves can bound a range.
    case symbol(UInt32)
    case set(CodePointSet)
  }

  private mutating func escaped() throws(PatternError) -> Escaped {
    guard let symbol = next else { throw PatternError(reason: "the pattern ends in a backslash") }
    place += 1
    switch symbol {
    case "d": return .set(CharacterClasses.digits)
    case "D": return .set(CharacterClasses.digits.complement)
    case "w": return .set(CharacterClasses.word)
    case "W": return .set(CharacterClasses.word.complement)
    case "s": return .set(CharacterClasses.space)
    case "S": return .set(CharacterClasses.space.complement)
    case "t": return .symbol(9)
    case "n": return .symbol(10)
    case "v": return .symbol(11)
    case "f": return .symbol(12)
    case "r": return .symbol(13)
    case "a": return .symbol(7)
    case "e": return .symbol(27)
    case "0": return .symbol(0)
    case "c":
      guard let letter = next else { throw PatternError(reason: "incomplete \\c in the pattern") }
      place += 1
      return .symbol(letter & 31)
    case "x": return .symbol(try hexadecimal(2))
    case "u":
      if take("{") {
        var value: UInt32 = 0
        while let digit = next, digit != "}" {
          value = min(CodePointSet.last, value << 4 | (try hexadecimal(1)))
        }
        place = min(symbols.count, place + 1)
        return .symbol(value)
      }
      let first = try hexadecimal(4)
      if first >= 0xD800, first < 0xDC00 {
        let start = place
        if take("\\u"), let second = try? hexadecimal(4), second >= 0xDC00, second <= 0xDFFF {
          return .symbol(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        }
        place = start
      }
      return .symbol(first)
    case "p", "P":
      guard take("{") else { throw PatternError(reason: "incomplete \\p in the pattern") }
      var name = ""
      while let letter = next, letter != "}" {
        if let scalar = Unicode.Scalar(letter) { name.unicodeScalars.append(scalar) }
        place += 1
      }
      place = min(symbols.count, place + 1)
      guard let set = CharacterClasses.property(name) else {
        throw PatternError(reason: "the property \\p{\(name)} is not supported")
      }
      return .set(symbol == "P" ? set.complement : set)
    default: return .symbol(symbol)
    }
  }

  private mutating func hexadecimal(_ digits: Int) throws(PatternError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let symbol = next, let scalar = Unicode.Scalar(symbol), let digit = Character(scalar).hexDigitValue,
        scalar.isASCII
      else { throw PatternError(reason: "wrong hexadecimal escape in the pattern") }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }
}

/// Lets patterns and `switch` cases spell symbols as characters.
private func ~= (pattern: Unicode.Scalar, value: UInt32) -> Bool { pattern.value == value }
private func == (left: UInt32, right: Unicode.Scalar) -> Bool { left == right.value }
private func == (left: UInt32?, right: Unicode.Scalar) -> Bool { left == right.value }
private func != (left: UInt32, right: Unicode.Scalar) -> Bool { left != right.value }
