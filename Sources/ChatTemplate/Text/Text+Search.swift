/// Finding, cutting and replacing, as the methods of Python's `str` do it.
extension Text {
  /// The longest text that is looked for by trying it at every place; longer ones by the method of Knuth, Morris and
  /// Pratt, so that hostile texts don't take quadratic time.
  private static let longestTried = 32

  /// The byte offset of the first occurrence of `needle` at or after `start`; `nil` when there is none.
  ///
  /// - Complexity: linear in both.
  func firstIndex(of needle: [UInt8], from start: Int = 0) -> Int? {
    guard let first = needle.first else { return start <= bytes.count ? start : nil }
    guard needle.count <= Text.longestTried else { return index(of: needle, in: start..<bytes.count, backwards: false) }
    var index = start
    let last = bytes.count - needle.count
    while index <= last {
      if bytes[index] == first, matches(needle, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// The byte offset of the last occurrence of `needle` that ends at or before `end`.
  func lastIndex(of needle: [UInt8], before end: Int) -> Int? {
    guard needle.count <= Text.longestTried else { return index(of: needle, in: 0..<end, backwards: true) }
    var index = end - needle.count
    while index >= 0 {
      if matches(needle, at: index) { return index }
      index -= 1
    }
    return nil
  }

  private func index(of needle: [UInt8], in range: Range<Int>, backwards: Bool) -> Int? {
    let count = needle.count
    guard range.count >= count else { return nil }
    func wanted(_ place: Int) -> UInt8 { backwards ? needle[count - 1 - place] : needle[place] }
    // For each prefix, the length of the longest shorter one that it ends with.
    var borders = [Int32](repeating: 0, count: count)
    var length = 0
    for place in 1..<count {
      while length > 0, wanted(place) != wanted(length) { length = Int(borders[length - 1]) }
      if wanted(place) == wanted(length) { length += 1 }
      borders[place] = Int32(length)
    }
    length = 0
    for offset in 0..<range.count {
      let place = backwards ? range.upperBound - 1 - offset : range.lowerBound + offset
      while length > 0, bytes[place] != wanted(length) { length = Int(borders[length - 1]) }
      if bytes[place] == wanted(length) { length += 1 }
      if length == count { return backwards ? place : place - count + 1 }
    }
    return nil
  }

  private func matches(_ needle: [UInt8], at index: Int) -> Bool {
    for offset in needle.indices where bytes[index + offset] != needle[offset] { return false }
    return true
  }

  func contains(_ needle: Text) -> Bool { firstIndex(of: needle.bytes) != nil }

  func hasPrefix(_ prefix: Text) -> Bool { bytes.starts(with: prefix.bytes) }

  func hasSuffix(_ suffix: Text) -> Bool {
    bytes.count >= suffix.bytes.count && matches(suffix.bytes, at: bytes.count - suffix.bytes.count)
  }

  /// The number of occurrences that don't overlap.
  func occurrences(of needle: Text) -> Int {
    if needle.isEmpty { return count + 1 }
    var found = 0
    var start = 0
    while let index = firstIndex(of: needle.bytes, from: start) {
      found += 1
      start = index + needle.bytes.count
    }
    return found
  }

  /// The text with `old` replaced by `new`, at most `limit` times; what stays keeps its origin and `new` keeps its own.
  func replacing(_ old: Text, with new: Text, limit: Int = .max) -> Text {
    if old.isEmpty { return interleaved(with: new, limit: limit) }
    var result = Text()
    var start = 0
    var left = limit
    while left > 0, let index = firstIndex(of: old.bytes, from: start) {
      result.append(self, start..<index)
      result.append(new)
      start = index + old.bytes.count
      left -= 1
    }
    if start == 0 { return self }
    result.append(self, start..<bytes.count)
    result.isMarkup = isMarkup
    return result
  }

  private func interleaved(with new: Text, limit: Int) -> Text {
    var result = Text()
    var left = limit
    let edges = boundaries
    for (low, high) in zip(edges, edges.dropFirst()) {
      if left > 0 { result.append(new) }
      left -= left > 0 ? 1 : 0
      result.append(self, low..<high)
    }
    if left > 0 { result.append(new) }
    return result
  }
}

// MARK: - Stripping

extension Text {
  /// Which ends to strip.
  struct Ends: OptionSet {
    let rawValue: Int
    static let leading = Ends(rawValue: 1)
    static let trailing = Ends(rawValue: 2)
    static let both: Ends = [.leading, .trailing]
  }

  /// The text without the scalars of `set` (Python's white space when `nil`) at its ends.
  func stripped(_ ends: Ends, of set: Text? = nil) -> Text {
    let removed: (Unicode.Scalar) -> Bool
    if let set {
      let members = Set(set.string.unicodeScalars)
      removed = { members.contains($0) }
    } else {
      removed = { $0.isPythonSpace }
    }
    var low = 0
    var high = bytes.count
    if ends.contains(.leading) {
      while low < high {
        let (scalar, width) = scalar(at: low)
        guard removed(scalar) else { break }
        low += width
      }
    }
    if ends.contains(.trailing) {
      while high > low {
        var start = high - 1
        while start > low, !Text.isBoundary(bytes[start]) { start -= 1 }
        guard removed(scalar(at: start).0) else { break }
        high = start
      }
    }
    return self[low..<high]
  }

  /// The scalar that begins at the byte `index`, and its width.
  func scalar(at index: Int) -> (Unicode.Scalar, Int) { ScalarSequence.decode(bytes, at: index) }
}

// MARK: - Splitting

extension Text {
  /// The parts between occurrences of `separator`, at most `limit` cuts, counted from the end if `fromEnd`.
  func split(separator: Text, limit: Int, fromEnd: Bool = false) -> [Text] {
    var parts: [Text] = []
    if fromEnd {
      var end = bytes.count
      while parts.count < limit, let index = lastIndex(of: separator.bytes, before: end) {
        parts.append(self[index + separator.bytes.count..<end])
        end = index
      }
      parts.append(self[0..<end])
      return parts.reversed()
    }
    var start = 0
    while parts.count < limit, let index = firstIndex(of: separator.bytes, from: start) {
      parts.append(self[start..<index])
      start = index + separator.bytes.count
    }
    parts.append(self[start..<bytes.count])
    return parts
  }

  /// The words between runs of white space, at most `limit` cuts.
  func words(limit: Int, fromEnd: Bool = false) -> [Text] {
    let all = wordRanges
    guard all.count > limit, limit >= 0 else { return all.map { self[$0] } }
    if fromEnd {
      let head = limit == all.count ? nil : self[0..<all[all.count - limit - 1].upperBound]
      return (head.map { [$0] } ?? []) + all.suffix(limit).map { self[$0] }
    }
    return all.prefix(limit).map { self[$0] } + [self[all[limit].lowerBound..<bytes.count].stripped(.trailing)]
  }

  /// The number of parts that `words` would give.
  var wordCount: Int {
    var count = 0
    var inWord = false
    for (scalar, _) in scalars {
      if !scalar.isPythonSpace, !inWord { count += 1 }
      inWord = !scalar.isPythonSpace
    }
    return count
  }

  private var wordRanges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    for (scalar, range) in scalars {
      if scalar.isPythonSpace {
        if let low = start { ranges.append(low..<range.lowerBound) }
        start = nil
      } else if start == nil {
        start = range.lowerBound
      }
    }
    if let low = start { ranges.append(low..<bytes.count) }
    return ranges
  }

  /// The lines, cut at every line boundary that Python knows, with their ends if `keepingEnds`.
  func lines(keepingEnds: Bool = false) -> [Text] {
    var result: [Text] = []
    var start = 0
    var afterReturn = false
    for (scalar, range) in scalars {
      defer { afterReturn = scalar == "\r" }
      if scalar == "\n", afterReturn {
        // The second half of a line end.
        if keepingEnds, let last = result.indices.last { result[last].append("\n".utf8, origin(at: range.lowerBound)) }
        start = range.upperBound
        continue
      }
      guard scalar.isPythonLineBoundary else { continue }
      result.append(self[start..<(keepingEnds ? range.upperBound : range.lowerBound)])
      start = range.upperBound
    }
    if start < bytes.count { result.append(self[start..<bytes.count]) }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether Python's `str.isspace` holds.
  var isPythonSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0: true
    case ..<0x1680: false
    default: properties.isWhitespace
    }
  }

  /// Whether `str.splitlines` cuts here.
  var isPythonLineBoundary: Bool {
    switch value {
    case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
