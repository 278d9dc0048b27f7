/// A set of token ids as a bitset: bit `id % 64` of word `id / 64`.
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

  /// Whether `id` is in the set; ids outside `0 ..< count` are not.
  public func contains(_ id: Int) -> Bool {
    id >= 0 && id < count && words[id >> 6] >> UInt64(id & 63) & 1 == 1
  }

  /// Adds `id`, which must be in `0 ..< count`.
  public mutating func insert(_ id: Int) {
    precondition(id >= 0 && id < count, "token \(id) of \(count)")
    words[id >> 6] |= 1 << UInt64(id & 63)
  }
}
