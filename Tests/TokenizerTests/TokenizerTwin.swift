import TestSupport

@testable import Tokenizer

/// The splitting rules as their documentation states them: the alternatives in order, each with its longest match, found
/// by trying every length.
struct SplitTwin {
  let rule: PreTokenizer

  /// A scalar, or a byte that is none.
  struct Unit {
    let bytes: [UInt8]
    let kind: ScalarClass

    var isSpace: Bool { kind.isWhitespace }
    /// Neither space nor letter nor number.
    var isOther: Bool { kind == .other }
  }

  func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    var parts = [Self.units(bytes)]
    if rule == .smollm {
      parts = parts[0].reduce(into: [[]]) { parts, unit in
        if unit.kind == .number { parts += [[unit], []] } else { parts[parts.count - 1].append(unit) }
      }
    }
    return parts.flatMap(split)
  }

  private func split(_ units: [Unit]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = 0
    while start < units.count {
      let end = alternatives.lazy.compactMap { matches -> Int? in
        (start + 1...units.count).reversed().first { matches(units[start..<$0], units[$0...].first) }
      }.first
      pieces.append(units[start..<(end ?? start + 1)].flatMap(\.bytes))
      start = end ?? start + 1
    }
    return pieces
  }

  /// Whether a run of units is a match of an alternative, given the unit that follows it.
  private typealias Alternative = (_ run: ArraySlice<Unit>, _ next: Unit?) -> Bool

  private var alternatives: [Alternative] {
    let digits = rule == .llamaBPE ? 3 : 1
    switch rule {
    case .gpt2, .smollm:
      return [
        { run, _ in Self.isContraction(run, ignoringCase: false) },
        { run, _ in Self.withoutSpace(run).isAll { $0.kind == .letter } },
        { run, _ in Self.withoutSpace(run).isAll { $0.kind == .number } },
        { run, _ in Self.withoutSpace(run).isAll(\.isOther) },
        { run, next in run.isAll(\.isSpace) && next?.isSpace != false },
        { run, _ in run.isAll(\.isSpace) },
      ]
    case .llamaBPE, .qwen2:
      return [
        { run, _ in Self.isContraction(run, ignoringCase: true) },
        { run, _ in
          guard let first = run.first, first.kind == .other || first.kind == .space else {
            return run.isAll { $0.kind == .letter }
          }
          return run.dropFirst().isAll { $0.kind == .letter }
        },
        { run, _ in run.count <= digits && run.isAll { $0.kind == .number } },
        { run, _ in
          let symbols = Self.withoutSpace(run)
          return (0..<symbols.count).contains { breaks in
            symbols.dropLast(breaks).isAll(\.isOther)
              && (breaks == 0 || symbols.suffix(breaks).isAll { $0.kind == .lineBreak })
          }
        },
        { run, _ in run.isAll(\.isSpace) && run.last?.kind == .lineBreak },
        { run, next in run.isAll(\.isSpace) && next?.isSpace != false },
        { run, _ in run.isAll(\.isSpace) },
      ]
    }
  }

  private static func withoutSpace(_ run: ArraySlice<Unit>) -> ArraySlice<Unit> {
    run.first?.bytes == [0x20] ? run.dropFirst() : run
  }

  private static func isContraction(_ run: ArraySlice<Unit>, ignoringCase: Bool) -> Bool {
    var text = String(decoding: run.flatMap(\.bytes), as: UTF8.self)
    if ignoringCase { text = text.lowercased().replacing("ſ", with: "s") }
    return ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"].contains(text)
  }

  /// Cuts bytes into scalars, going by what the standard library takes for well-formed.
  static func units(_ bytes: [UInt8]) -> [Unit] {
    var units: [Unit] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let scalar = (1...4).compactMap { length -> (Int, Unicode.Scalar)? in
        guard length <= rest.count, let text = String(validating: rest.prefix(length), as: UTF8.self) else {
          return nil
        }
        return text.unicodeScalars.count == 1 ? text.unicodeScalars.first.map { (length, $0) } : nil
      }.first
      units.append(Unit(bytes: Array(rest.prefix(scalar?.0 ?? 1)), kind: scalar.map { ScalarClass($0.1) } ?? .other))
      rest = rest.dropFirst(scalar?.0 ?? 1)
    }
    return units
  }
}

extension Collection {
  /// Whether there is at least one element and all fulfil `predicate`.
  fileprivate func isAll(_ predicate: (Element) -> Bool) -> Bool {
    !isEmpty && allSatisfy(predicate)
  }
}

/// Byte-pair encoding over strings, merging the first pair of the lowest rank until none is left.
struct MergeTwin {
  let vocabulary: TestVocabulary

  func encode(_ bytes: [UInt8], _ rule: PreTokenizer) -> [Int] {
    SplitTwin(rule: rule).pieces(bytes).flatMap { piece -> [Int] in
      let spelling = piece.map { TinyVocabulary.byteSpellings[Int($0)] }
      let whole = vocabulary.id(spelling.joined())
      if rule == .llamaBPE, whole >= 0 { return [whole] }
      return merge(spelling).map(vocabulary.id)
    }
  }

  private func merge(_ parts: [String]) -> [String] {
    var parts = parts
    while let (_, position) = (0..<max(parts.count - 1, 0)).compactMap({ position -> (Int, Int)? in
      vocabulary.merges.firstIndex(of: "\(parts[position]) \(parts[position + 1])").map { ($0, position) }
    }).min(by: { $0 < $1 }) {
      parts[position] += parts.remove(at: position + 1)
    }
    return parts
  }
}
