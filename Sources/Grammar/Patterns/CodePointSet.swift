/// A set of code points as sorted, disjoint, non-adjacent ranges.
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
    ranges = [Range(lower: single, upper: single)]
  }

  var isEmpty: Bool { ranges.isEmpty }

  func contains(_ value: UInt32) -> Bool {
    for range in ranges {
      if value < range.lower { return false }
      if value <= range.upper { return true }
    }
    return false
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
    return result
  }
}
