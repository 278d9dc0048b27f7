/// A map from 64-bit keys to 32-bit values that only grows: open addressing, linear probing.
struct IntMap {
  private var keys: [UInt64]
  private var values: [Int32]
  private var count = 0
  private var mask: Int

  /// No key of ours has this value.
  private static let empty = UInt64.max

  init() {
    keys = Array(repeating: Self.empty, count: 64)
    values = Array(repeating: 0, count: 64)
    mask = 63
  }

  @inline(__always)
  private func slot(_ key: UInt64) -> Int {
    var hash = key &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 32
    return Int(truncatingIfNeeded: hash) & mask
  }

  subscript(key: UInt64) -> Int32? {
    var place = slot(key)
    while true {
      let found = keys[place]
      if found == key { return values[place] }
      if found == Self.empty { return nil }
      place = (place + 1) & mask
    }
  }

  mutating func insert(_ key: UInt64, _ value: Int32) {
    if count * 2 >= keys.count { grow() }
    var place = slot(key)
    while keys[place] != Self.empty, keys[place] != key { place = (place + 1) & mask }
    if keys[place] == Self.empty { count += 1 }
    keys[place] = key
    values[place] = value
  }

  private mutating func grow() {
    let oldKeys = keys
    let oldValues = values
    keys = Array(repeating: Self.empty, count: oldKeys.count * 2)
    values = Array(repeating: 0, count: oldKeys.count * 2)
    mask = keys.count - 1
    count = 0
    for (index, key) in oldKeys.enumerated() where key != Self.empty { insert(key, oldValues[index]) }
  }
}
