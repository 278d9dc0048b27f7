/// The name in `a.name`, looked up in the method tables once.
struct AttributeName: Sendable {
  let string: String
  let bytes: [UInt8]
  let textMethod: Method?
  let listMethod: Method?
  let dictionaryMethod: Method?
  /// Whether the sandbox hides the name on dictionaries or lists, since it changes or reveals them.
  let isUnsafe: Bool

  init(_ name: String) {
    string = name
    bytes = Array(name.utf8)
    textMethod = Method.ofTexts[name]
    listMethod = Method.ofLists[name]
    dictionaryMethod = Method.ofDictionaries[name]
    isUnsafe = name.hasPrefix("__")
  }
}

extension Interpreter {
  /// `value.name`.
  func attribute(_ name: AttributeName, of value: Value) throws(TemplateError) -> Value {
    try step()
    switch value {
    case .dictionary(let dictionary):
      if let method = name.dictionaryMethod { return bound(method, to: value) }
      if Method.unsafeOfDictionaries.contains(name.string) || name.isUnsafe { return unsafe(name, value) }
      return dictionary[name.bytes] ?? missing(name, value)
    case .undefined(let undefined): throw fail(undefined)
    case .namespace(let namespace): return namespace[name.bytes] ?? missing(name, value)
    case .loop(let loop): return try loop.attribute(name.string, self) ?? missing(name, value)
    case .string:
      if let method = name.textMethod { return bound(method, to: value) }
    case .list, .tuple:
      if let method = name.listMethod, method.name != "copy" || value.typeName == "list" {
        return bound(method, to: value)
      }
      if case .list = value, Method.unsafeOfLists.contains(name.string) { return unsafe(name, value) }
    case .callable(let callable):
      if let value = (callable as? any AttributeHolder)?.attribute(name.string) { return value }
    default: break
    }
    return name.isUnsafe ? unsafe(name, value) : missing(name, value)
  }

  private func bound(_ method: Method, to value: Value) -> Value { .callable(BoundMethod(method, value)) }

  private func missing(_ name: AttributeName, _ value: Value) -> Value {
    .undefined(Undefined(.attribute(name.string, of: value.typeName)))
  }

  private func unsafe(_ name: AttributeName, _ value: Value) -> Value {
    .undefined(Undefined(.unsafe(name.string, of: value.typeName)))
  }

  /// `value[key]`.
  func item(_ key: Value, of value: Value) throws(TemplateError) -> Value {
    try step()
    switch value {
    case .undefined(let undefined): throw fail(undefined)
    case .dictionary(let dictionary):
      if let identity = key.key, let found = dictionary[identity] { return found }
    case .list(let list), .tuple(let list):
      if let index = key.index {
        let place = index < 0 ? index &+ list.values.count : index
        if list.values.indices.contains(place) { return list.values[place] }
      }
    case .string(let text):
      if let index = key.index, let character = character(index, of: text) { return .string(character) }
    case .range(let range):
      if let index = key.index {
        let place = index < 0 ? index &+ range.count : index
        if place >= 0, place < range.count { return .integer(range[place]) }
      }
    default: break
    }
    if case .string(let name) = key {
      if case .dictionary = value {
        // An item that isn't there: only methods are left, which the sandbox looks for as attributes.
        guard let method = Method.ofDictionaries[name.string] else {
          return .undefined(Undefined(.attribute(name.string, of: "dict")))
        }
        return bound(method, to: value)
      }
      return try attribute(AttributeName(name.string), of: value)
    }
    return .undefined(Undefined(.item(try representation(of: key).string, of: value.typeName)))
  }

  private func character(_ index: Int, of text: Text) -> Text? {
    if index >= 0 {
      var left = index
      for (offset, byte) in text.bytes.enumerated() where Text.isBoundary(byte) {
        if left == 0 { return text[offset..<offset + text.scalar(at: offset).1] }
        left -= 1
      }
      return nil
    }
    var left = -index
    for offset in text.bytes.indices.reversed() where Text.isBoundary(text.bytes[offset]) {
      left -= 1
      if left == 0 { return text[offset..<offset + text.scalar(at: offset).1] }
    }
    return nil
  }

  /// `value[start:stop:step]`.
  func slice(_ value: Value, start: Value, stop: Value, step: Value) throws(TemplateError) -> Value {
    try self.step()
    func bound(_ limit: Value) throws(TemplateError) -> Int? {
      if limit.isNone { return nil }
      guard let index = limit.index else { throw fail(.type, "slice indices must be integers or none") }
      return index
    }
    let (low, high, stride) = (try bound(start), try bound(stop), try bound(step) ?? 1)
    guard stride != 0 else { throw fail(.value, "slice step cannot be zero") }
    switch value {
    case .string(let text):
      if stride == 1 {
        try allocate(text.cost)
        let (first, end) = sliceBounds(text.count, low, high, stride)
        return .string(first < end ? text[text.offset(ofScalar: first)..<text.offset(ofScalar: end)] : Text())
      }
      try allocate(text.cost + text.bytes.count * 16)
      let edges = text.boundaries
      let indices = sliceIndices(edges.count - 1, low, high, stride)
      var result = Text()
      for index in indices { result.append(text, edges[index]..<edges[index + 1]) }
      return .string(result)
    case .list(let list):
      return .list(try self.list(sliceIndices(list.values.count, low, high, stride).map { list.values[$0] }))
    case .tuple(let list):
      return .tuple(try self.list(sliceIndices(list.values.count, low, high, stride).map { list.values[$0] }))
    case .range(let range):
      let (first, end) = sliceBounds(range.count, low, high, stride)
      let count = sliceIndices(range.count, low, high, stride).count
      return .range(
        ValueRange(start: range[first], stop: range[end], step: range.step &* stride, count: count))
    case .undefined(let undefined): throw fail(undefined)
    case .dictionary: throw fail(.type, "unhashable type: 'slice'")
    default: throw fail(.type, "'\(value.typeName)' object is not subscriptable")
    }
  }

  private func sliceIndices(_ count: Int, _ low: Int?, _ high: Int?, _ stride: Int) -> [Int] {
    let (first, end) = sliceBounds(count, low, high, stride)
    // A step beyond the length takes one item at most; shortened, it cannot overflow.
    return Array(Swift.stride(from: first, to: end, by: min(max(stride, -count - 1), count + 1)))
  }

  /// Where a slice begins and before which place it ends, within `count` items.
  private func sliceBounds(_ count: Int, _ low: Int?, _ high: Int?, _ stride: Int) -> (first: Int, end: Int) {
    let (least, most) = stride > 0 ? (0, count) : (-1, count - 1)
    func clamped(_ index: Int?) -> Int? {
      index.map { min(max($0 < 0 ? $0 &+ count : $0, least), most) }
    }
    return (clamped(low) ?? (stride > 0 ? 0 : most), clamped(high) ?? (stride > 0 ? count : -1))
  }
}
