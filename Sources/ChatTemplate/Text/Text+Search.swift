/// Finding, cutting and replacing, as the methods of Python's `str` do it.
extension Text {
  /// The byte offset of the first occurrence of `needle` at or after `start`; `nil` when there is none.
  ///
  /// - Complexity: linear for ordinary texts; the first byte is searched before the rest is compared.
  func firstIndex(of needle: [UInt8], from start: Int = 0) -> Int? {
    guard let first = needle.first else { return start <= bytes.count ? start : nil }
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
    var index = end - needle.count
    while index >= 0 {
      if matches(needle, at: index) { return index }
      index -= 1
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
  func scalar(at index: Int) -> (Unicode.Scalar, Int) {
    let lead = bytes[index]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    var end = index + 1
    while end < bytes.count, !Text.isBoundary(bytes[end]) { end += 1 }
    let scalar = String(decoding: bytes[index..<end], as: UTF8.self).unicodeScalars.first
    return (scalar ?? "\u{FFFD}", end - index)
  }
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
    var index = 0
    let all = scalars
    while index < all.count {
      let (scalar, range) = all[index]
      index += 1
      guard scalar.isPythonLineBoundary else { continue }
      var end = range.upperBound
      if scalar == "\r", index < all.count, all[index].scalar == "\n" {
        end = all[index].range.upperBound
        index += 1
      }
      result.append(self[start..<(keepingEnds ? end : range.lowerBound)])
      start = end
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
