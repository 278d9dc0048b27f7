/// A set of code points as sorted, disjoint, non-adjacent ranges.
///
/// Halves of surrogate pairs (U+D800 to U+DFFF) are in no set: no text holds one, so a pattern that asks for one matches
/// nothing, as in ECMA-262's Unicode mode.
///
/// Two values beyond Unicode mark the start and the end of a string, so that `^` and `$` are ordinary symbols.
struct CodePointSet: Hashable, Sendable {
  struct Range: Hashable, Sendable {
    var lower: UInt32
    var upper: UInt32
  }

  private(set) var ranges: [Range] = []

  static let last: UInt32 = 0x10FFFF
  static let startMarker: UInt32 = 0x110000
  static let endMarker: UInt32 = 0x110001

  private static let surrogates = Range(lower: 0xD800, upper: 0xDFFF)

  /// Every code point and both markers.
  static let everything = CodePointSet([(0, endMarker)])
  /// Every code point.
  static let anyCodePoint = CodePointSet([(0, last)])

  init() {}

  init(_ pairs: [(UInt32, UInt32)]) {
    ranges = Self.normal(pairs.map { Range(lower: $0.0, upper: $0.1) })
  }

  init(_ ranges: [Range]) {
    self.ranges = Self.normal(ranges)
  }

  init(single: UInt32) {
    if single < Self.surrogates.lower || single > Self.surrogates.upper {
      ranges = [Range(lower: single, upper: single)]
    }
  }

  var isEmpty: Bool { ranges.isEmpty }

  func contains(_ value: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upper < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lower <= value
  }

  func union(_ other: CodePointSet) -> CodePointSet {
    CodePointSet(ranges + other.ranges)
  }

  /// All code points that are not in the set; the markers stay out.
  var complement: CodePointSet {
    var result: [Range] = []
    var next: UInt32 = 0
    for range in ranges where range.lower <= Self.last {
      if range.lower > next { result.append(Range(lower: next, upper: range.lower - 1)) }
      next = range.upper + 1
    }
    if next <= Self.last { result.append(Range(lower: next, upper: Self.last)) }
    return CodePointSet(result)
  }

  func intersection(_ other: CodePointSet) -> CodePointSet {
    var result: [Range] = []
    for one in ranges {
      for two in other.ranges where two.lower <= one.upper && two.upper >= one.lower {
        result.append(Range(lower: max(one.lower, two.lower), upper: min(one.upper, two.upper)))
      }
    }
    return CodePointSet(result)
  }

  private static func normal(_ ranges: [Range]) -> [Range] {
    var result: [Range] = []
    for range in ranges.sorted(by: { $0.lower < $1.lower }) where range.lower <= range.upper {
      if let last = result.last, range.lower <= last.upper &+ 1 {
        result[result.count - 1].upper = max(last.upper, range.upper)
      } else {
        result.append(range)
      }
    }
    return result.contains { $0.lower <= surrogates.upper && $0.upper >= surrogates.lower }
      ? scalars(in: result) : result
  }

  /// The ranges without the surrogates.
  private static func scalars(in ranges: [Range]) -> [Range] {
    ranges.flatMap { range in
      [
        Range(lower: range.lower, upper: min(range.upper, surrogates.lower - 1)),
        Range(lower: max(range.lower, surrogates.upper + 1), upper: range.upper),
      ].filter { $0.lower <= $0.upper }
    }
  }
}
