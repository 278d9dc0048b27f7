/// A set of token ids as a bitset: bit `id % 64` of word `id / 64`.
///
/// ```swift
/// var mask = TokenMask(count: 128_256)
/// mask.insert(9906)
/// mask.contains(9906)   // true
/// Array(mask.ids)       // [9906]
/// ```
public struct TokenMask: Sendable, Equatable {
  /// The bits; those at `count` and beyond are zero.
  public var words: [UInt64]
  /// Ids that the mask can hold: `0 ..< count`.
  public let count: Int

  /// An empty set over `count` ids.
  public init(count: Int) {
    self.count = count
    words = Array(repeating: 0, count: (count + 63) / 64)
  }

  /// The set of all `count` ids.
  public init(all count: Int) {
    self.count = count
    words = Array(repeating: .max, count: (count + 63) / 64)
    if count % 64 != 0, let last = words.indices.last { words[last] = 1 << UInt64(count % 64) - 1 }
  }

  /// Whether `id` is in the set; ids outside `0 ..< count` are not.
  public func contains(_ id: Int) -> Bool {
    id >= 0 && id < count && words[id >> 6] >> UInt64(id & 63) & 1 == 1
  }

  /// Adds `id`, which must be in `0 ..< count`.
  public mutating func insert(_ id: Int) {
    precondition(id >= 0 && id < count, "token \(id) of \(count)")
    words[id >> 6] |= 1 << UInt64(id & 63)
  }

  /// Takes `id` out, if it is in the set.
  public mutating func remove(_ id: Int) {
    guard contains(id) else { return }
    words[id >> 6] &= ~(1 << UInt64(id & 63))
  }

  /// Adds the ids of `other` that are below `count`.
  public mutating func formUnion(_ other: TokenMask) {
    for index in words.indices where index < other.words.count { words[index] |= other.words[index] }
    if count % 64 != 0, let last = words.indices.last { words[last] &= 1 << UInt64(count % 64) - 1 }
  }

  /// The number of ids in the set.
  ///
  /// - Complexity: O(`count` / 64).
  public var population: Int {
    words.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  /// Whether no id is in the set.
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// The ids in the set, rising.
  public var ids: TokenMaskIDs { TokenMaskIDs(words) }
}

/// The ids of a mask, rising.
public struct TokenMaskIDs: Sequence, IteratorProtocol, Sendable {
  private let words: [UInt64]
  private var index = -1
  private var rest: UInt64 = 0

  init(_ words: [UInt64]) {
    self.words = words
  }

  /// The next id.
  public mutating func next() -> Int? {
    while rest == 0 {
      guard index + 1 < words.count else { return nil }
      index += 1
      rest = words[index]
    }
    defer { rest &= rest - 1 }
    return index << 6 | rest.trailingZeroBitCount
  }
}
