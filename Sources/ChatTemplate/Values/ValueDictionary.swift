/// What identifies a dictionary's entry: Python takes 1, 1.0 and True for the same key.
enum Key: Hashable {
  case none
  case integer(Int)
  case double(Double)
  case string([UInt8])
}

extension Value {
  /// The value as a key; `nil` for values that cannot be one here.
  var key: Key? {
    switch self {
    case .none: Key.none
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .double(let number): Int(exactly: number).map { .integer($0) } ?? .double(number)
    case .string(let text): .string(text.bytes)
    default: nil
    }
  }
}

/// A dictionary whose entries keep the order in which they were first given; a later value replaces an earlier one.
///
/// - Complexity: look-up is linear below nine entries and hashed above.
final class ValueDictionary {
  private(set) var keys: [Value] = []
  private(set) var values: [Value] = []
  private var places: [Key: Int] = [:]
  private(set) var depth = 1

  var count: Int { keys.count }

  init() {}

  init(minimumCapacity: Int) {
    keys.reserveCapacity(minimumCapacity)
    values.reserveCapacity(minimumCapacity)
  }

  /// Sets an entry while the dictionary is being built, before anyone else holds it. Returns false for a value that
  /// cannot be a key.
  func set(_ key: Value, _ value: Value) -> Bool {
    guard let identity = key.key else { return false }
    depth = max(depth, value.depth + 1)
    if let place = place(of: identity) {
      values[place] = value
      return true
    }
    keys.append(key)
    values.append(value)
    if keys.count > 8 {
      if places.isEmpty {
        for (index, key) in keys.enumerated() { if let key = key.key { places[key] = index } }
      } else {
        places[identity] = keys.count - 1
      }
    }
    return true
  }

  func set(_ key: String, _ value: Value) { _ = set(.data(key), value) }

  private func place(of key: Key) -> Int? {
    if !places.isEmpty { return places[key] }
    return keys.firstIndex { $0.key == key }
  }

  subscript(key: Key) -> Value? {
    if case .string(let name) = key { return self[name] }
    return place(of: key).map { values[$0] }
  }

  subscript(name: [UInt8]) -> Value? {
    if !places.isEmpty { return places[.string(name)].map { values[$0] } }
    for (index, key) in keys.enumerated() {
      if case .string(let text) = key, text.bytes == name { return values[index] }
    }
    return nil
  }

  /// The entries as tuples of two.
  var items: [Value] { zip(keys, values).map { .tuple([$0, $1]) } }
}
