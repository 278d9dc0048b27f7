/// The items of a list or tuple, with the depth to which they nest.
final class ValueList {
  let values: [Value]
  let depth: Int

  init(_ values: [Value]) {
    self.values = values
    depth = ValueList.depth(of: values)
  }

  /// The depth of a container that holds `values`.
  static func depth(of values: [Value]) -> Int {
    var deepest = 0
    for value in values { deepest = max(deepest, value.depth) }
    return deepest + 1
  }

}

extension Value {
  static func list(_ values: [Value]) -> Value { .list(ValueList(values)) }
  static func tuple(_ values: [Value]) -> Value { .tuple(ValueList(values)) }
}

/// What `keys()`, `values()` and `items()` of a dictionary give: it can be counted and walked, not indexed.
struct DictionaryView {
  enum Kind: String { case keys = "dict_keys", values = "dict_values", items = "dict_items" }
  let kind: Kind
  let items: ValueList
}

/// A Python range, never spelled out until it is walked.
struct ValueRange {
  let start: Int
  let stop: Int
  let step: Int
  let count: Int

  /// - Precondition: `0 <= index < count`, and the range was checked not to overflow when it was made.
  subscript(index: Int) -> Int { start &+ step &* index }
}

/// A generator: its items can be taken once.
final class ValueIterator {
  private var items: [Value]
  private var position = 0
  let depth: Int

  init(_ items: [Value]) {
    self.items = items
    depth = ValueList.depth(of: items)
  }

  /// Everything not taken so far.
  func takeRest() -> [Value] {
    defer { position = items.count }
    return position == 0 ? items : Array(items[position...])
  }

  /// The next item, if any is left.
  func next() -> Value? {
    guard position < items.count else { return nil }
    defer { position += 1 }
    return items[position]
  }
}

/// What `namespace(...)` makes: the one kind of value that a template can change from inside a loop.
final class Namespace {
  var members: [(name: [UInt8], value: Value)] = []

  subscript(name: [UInt8]) -> Value? {
    get { members.first { $0.name == name }?.value }
    set {
      guard let newValue else { return }
      if let place = members.firstIndex(where: { $0.name == name }) {
        members[place].value = newValue
      } else {
        members.append((name, newValue))
      }
    }
  }
}
