import JSON

extension Value {
  /// A JSON value as template data: every string in it counts as inserted text.
  ///
  /// Adds a rough count of its bytes to `weight`, which scales a rendering's budget, and returns `nil` when it nests
  /// deeper than `depth`.
  init?(_ json: JSONValue, depth: Int, weight: inout Int) {
    weight += 16
    switch json {
    case .null: self = .none
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .string(let string):
      weight += string.utf8.count
      self = .data(string)
    case .array(let items):
      guard depth > 0 else { return nil }
      var values: [Value] = []
      values.reserveCapacity(items.count)
      for item in items {
        guard let value = Value(item, depth: depth - 1, weight: &weight) else { return nil }
        values.append(value)
      }
      self = .list(values)
    case .object(let object):
      guard depth > 0 else { return nil }
      let dictionary = ValueDictionary(minimumCapacity: object.count)
      for (key, item) in object.members {
        weight += key.utf8.count
        guard let value = Value(item, depth: depth - 1, weight: &weight) else { return nil }
        dictionary.set(key, value)
      }
      self = .dictionary(dictionary)
    }
  }
}
