/// A place inside a string whose content a pattern describes: between characters, inside a UTF-8 sequence, or inside an escape.
///
/// Where all code points that can follow lead to the same state, `uniform` stands for all of them: only the form of the
/// UTF-8 sequence is left to check (`base` is the lead byte where that bounds the next one).
///
/// Inside a character the code points that are still possible form a range, `base` and the digits that are `left`.
struct StringLeaf: Hashable {
  enum Phase: UInt8 { case start, body, utf8, uniform, escape, hex, lowBackslash, lowU, lowHex, done }

  /// How the text is written.
  enum Form: UInt8 {
    /// A JSON string; every escape of JSON is allowed.
    case json
    /// A JSON string with one spelling per value: an escape only where JSON demands it, and the shortest one.
    case canonical
    /// The bare text, without quotes.
    case bare
  }

  var phase: Phase
  var form: Form
  var pattern: PatternID
  var base: UInt32 = 0
  var left: UInt8 = 0
  /// The first half of a surrogate pair written as `\uD8..`.
  var high: UInt32 = 0
}

extension PatternStore {
  /// Whether some code point in the range leads on.
  func isPossible(_ id: PatternID, _ lower: UInt32, _ upper: UInt32) -> Bool {
    if id == Self.anything { return lower <= 0xD7FF || upper >= 0xE000 }
    let row = row(id)
    for index in row.index(of: lower)..<row.starts.count {
      guard row.starts[index] <= upper else { break }
      guard row.targets[index] != Self.nothing else { continue }
      let from = max(row.starts[index], lower)
      let to = min(index + 1 < row.starts.count ? row.starts[index + 1] - 1 : CodePointSet.last, upper)
      guard from < 0xD800 || to > 0xDFFF else { continue }
      if isAlive(row.targets[index]) { return true }
    }
    return false
  }

  /// Where every code point in the range leads, if all lead to the same state.
  private func commonTarget(_ row: PatternRow, _ lower: UInt32, _ upper: UInt32) -> PatternID? {
    guard !row.targets.isEmpty else { return nil }
    let index = row.index(of: lower)
    guard row.targets[index] != Self.nothing, index == row.index(of: upper) else { return nil }
    return row.targets[index]
  }

  /// All transitions of `leaf`: target by byte, `nil` where the byte is not allowed.
  func transitions(_ leaf: StringLeaf) -> [(byte: UInt8, target: StringLeaf)] {
    var result: [(byte: UInt8, target: StringLeaf)] = []
    func body(_ byte: UInt8, _ codePoint: UInt32) {
      let target = step(leaf.pattern, codePoint)
      if target != Self.nothing {
        result.append((byte, StringLeaf(phase: .body, form: leaf.form, pattern: target)))
      }
    }
    func inside(_ byte: UInt8, _ phase: StringLeaf.Phase, base: UInt32 = 0, left: UInt8 = 0, high: UInt32 = 0) {
      let target = StringLeaf(phase: phase, form: leaf.form, pattern: leaf.pattern, base: base, left: left, high: high)
      result.append((byte, target))
    }
    switch leaf.phase {
    case .start:
      result.append((0x22, StringLeaf(phase: .body, form: leaf.form, pattern: leaf.pattern)))
    case .body:
      let isBare = leaf.form == .bare
      let row = row(leaf.pattern)
      for (index, target) in row.targets.enumerated() where target != Self.nothing && row.starts[index] <= 0x7F {
        let end = index + 1 < row.starts.count ? min(row.starts[index + 1] - 1, 0x7F) : 0x7F
        guard isAlive(target) else { continue }
        for byte in UInt8(truncatingIfNeeded: row.starts[index])...UInt8(truncatingIfNeeded: end)
        where isBare || (byte >= 0x20 && byte != 0x22 && byte != 0x5C) {
          result.append((byte, StringLeaf(phase: .body, form: leaf.form, pattern: target)))
        }
      }
      if !isBare {
        if accepts(leaf.pattern) {
          result.append((0x22, StringLeaf(phase: .done, form: leaf.form, pattern: Self.epsilon)))
        }
        let escaped = StringLeaf(phase: .escape, form: leaf.form, pattern: leaf.pattern)
        if !transitions(escaped).isEmpty { result.append((0x5C, escaped)) }
      }
      for byte in UInt8(0xC2)...0xF4 {
        let left: UInt8 = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
        let base = UInt32(byte & (left == 1 ? 0x1F : left == 2 ? 0x0F : 0x07)) << (6 * UInt32(left))
        let lower = max(base, Self.shortest[Int(left)])
        let upper = min(CodePointSet.last, base | (1 << (6 * UInt32(left)) - 1))
        if let target = commonTarget(row, lower, upper) {
          guard isAlive(target) else { continue }
          let bounded = Self.boundedLeads.contains(byte) ? UInt32(byte) : 0
          result.append(
            (byte, StringLeaf(phase: .uniform, form: leaf.form, pattern: target, base: bounded, left: left)))
        } else if lower <= upper, isPossible(leaf.pattern, lower, upper) {
          inside(byte, .utf8, base: base, left: left)
        }
      }
    case .uniform:
      let next: ClosedRange<UInt8> =
        switch leaf.base {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
      let phase: StringLeaf.Phase = leaf.left == 1 ? .body : .uniform
      let target = StringLeaf(phase: phase, form: leaf.form, pattern: leaf.pattern, left: leaf.left - 1)
      for byte in next { result.append((byte, target)) }
    case .utf8:
      let shift = 6 * UInt32(leaf.left - 1)
      for byte in UInt8(0x80)...0xBF {
        let base = leaf.base | UInt32(byte & 0x3F) << shift
        let lower = max(base, Self.shortest[Int(leaf.left)])
        let upper = min(CodePointSet.last, base | (1 << shift - 1))
        guard lower <= upper, isPossible(leaf.pattern, lower, upper) else { continue }
        if leaf.left == 1 { body(byte, base) } else { inside(byte, .utf8, base: base, left: leaf.left - 1) }
      }
    case .escape:
      for (byte, value) in Self.shortEscapes where leaf.form == .json || byte != 0x2F {
        body(byte, value)
      }
      if isPossibleHex(leaf.form, leaf.pattern, 0, 0xFFFF) { inside(0x75, .hex, left: 4) }
    case .hex, .lowHex:
      let shift = 4 * UInt32(leaf.left - 1)
      for (byte, digit) in Self.hexDigits where leaf.form == .json || byte < 0x41 || byte > 0x46 {
        let base = leaf.base | digit << shift
        let upper = base | (1 << shift - 1)
        if leaf.phase == .lowHex {
          let low = max(base, 0xDC00)
          let high = min(upper, 0xDFFF)
          guard low <= high,
            isPossible(leaf.pattern, Self.joined(leaf.high, low), Self.joined(leaf.high, high))
          else { continue }
          if leaf.left == 1 {
            body(byte, Self.joined(leaf.high, base))
          } else {
            inside(byte, .lowHex, base: base, left: leaf.left - 1, high: leaf.high)
          }
        } else {
          guard isPossibleHex(leaf.form, leaf.pattern, base, upper) else { continue }
          if leaf.left > 1 {
            inside(byte, .hex, base: base, left: leaf.left - 1)
          } else if base >= 0xD800, base <= 0xDBFF {
            inside(byte, .lowBackslash, high: base)
          } else {
            body(byte, base)
          }
        }
      }
    case .lowBackslash: inside(0x5C, .lowU, high: leaf.high)
    case .lowU: inside(0x75, .lowHex, left: 4, high: leaf.high)
    case .done: break
    }
    return result
  }

  /// Whether `\u` followed by a number in the range can be part of the string.
  private func isPossibleHex(_ form: StringLeaf.Form, _ id: PatternID, _ lower: UInt32, _ upper: UInt32) -> Bool {
    if form == .canonical {
      let controls = (max(lower, 0)...max(lower, min(upper, 0x1F))).filter {
        $0 <= min(upper, 0x1F) && ![8, 9, 10, 12, 13].contains($0)
      }
      return controls.contains { step(id, $0) != Self.nothing }
    }
    if lower <= 0xDBFF, upper >= 0xD800 {
      let first = Self.joined(max(lower, 0xD800), 0xDC00)
      let last = Self.joined(min(upper, 0xDBFF), 0xDFFF)
      if isPossible(id, first, last) { return true }
    }
    return isPossible(id, lower, upper)
  }

  private static func joined(_ high: UInt32, _ low: UInt32) -> UInt32 {
    0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  /// The smallest code point that needs this many continuation bytes.
  private static let shortest: [UInt32] = [0, 0x80, 0x800, 0x10000]
  /// Lead bytes after which not every continuation byte may come.
  private static let boundedLeads: Set<UInt8> = [0xE0, 0xED, 0xF0, 0xF4]
  private static let shortEscapes: [(UInt8, UInt32)] = [
    (0x22, 0x22), (0x5C, 0x5C), (0x2F, 0x2F), (0x62, 8), (0x66, 12), (0x6E, 10), (0x72, 13), (0x74, 9),
  ]
  private static let hexDigits: [(UInt8, UInt32)] =
    (0...9).map { (0x30 + UInt8($0), UInt32($0)) } + (0...5).map { (0x41 + UInt8($0), 10 + UInt32($0)) }
    + (0...5).map { (0x61 + UInt8($0), 10 + UInt32($0)) }
}
