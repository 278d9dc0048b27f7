extension Interpreter {
  func holds(_ relation: Comparison.Relation, _ left: Value, _ right: Value) throws(TemplateError) -> Bool {
    switch relation {
    case .equal: return try equal(left, right)
    case .notEqual: return !(try equal(left, right))
    case .isIn: return try contains(right, left)
    case .isNotIn: return !(try contains(right, left))
    case .less: return try precedes(left, right, "<")
    case .greater: return try precedes(right, left, ">", swapped: true)
    case .lessOrEqual: return try !precedes(right, left, "<=", swapped: true) && !isUnordered(left, right)
    case .greaterOrEqual: return try !precedes(left, right, ">=") && !isUnordered(left, right)
    }
  }

  private func isUnordered(_ left: Value, _ right: Value) -> Bool {
    (Number(left)?.double.isNaN ?? false) || (Number(right)?.double.isNaN ?? false)
  }

  /// Python's `==`.
  func equal(_ left: Value, _ right: Value) throws(TemplateError) -> Bool {
    try step()
    switch (left, right) {
    case (.string(let a), .string(let b)): return a == b
    case (.integer(let a), .integer(let b)): return a == b
    case (.none, .none), (.undefined, .undefined): return true
    case (.list(let a), .list(let b)), (.tuple(let a), .tuple(let b)): return try equal(a.values, b.values)
    case (.dictionary(let a), .dictionary(let b)): return try equal(a, b)
    case (.range(let a), .range(let b)):
      return a.count == b.count && (a.count == 0 || (a.start == b.start && (a.count == 1 || a.step == b.step)))
    case (.namespace(let a), .namespace(let b)): return a === b
    case (.loop(let a), .loop(let b)): return a === b
    case (.callable(let a), .callable(let b)): return a === b
    case (.iterator(let a), .iterator(let b)): return a === b
    case (.view(let a), .view(let b)):
      guard a.kind == b.kind else { return false }
      return try equal(a.items.values, b.items.values)
    default:
      guard let a = Number(left), let b = Number(right) else { return false }
      if let first = a.whole, let second = b.whole { return first == second }
      return a.double == b.double
    }
  }

  private func equal(_ left: [Value], _ right: [Value]) throws(TemplateError) -> Bool {
    guard left.count == right.count else { return false }
    for (a, b) in zip(left, right) where !(try equal(a, b)) { return false }
    return true
  }

  private func equal(_ left: ValueDictionary, _ right: ValueDictionary) throws(TemplateError) -> Bool {
    guard left.count == right.count else { return false }
    for (key, value) in zip(left.keys, left.values) {
      guard let identity = key.key, let other = right[identity], try equal(value, other) else { return false }
    }
    return true
  }

  /// Python's `left < right`; `sign` and `swapped` are for the message.
  func precedes(
    _ left: Value, _ right: Value, _ sign: String = "<", swapped: Bool = false
  ) throws(TemplateError) -> Bool {
    try step()
    switch (left, right) {
    case (.string(let a), .string(let b)): return a < b
    case (.integer(let a), .integer(let b)): return a < b
    case (.list(let a), .list(let b)), (.tuple(let a), .tuple(let b)):
      for (x, y) in zip(a.values, b.values) where !(try equal(x, y)) {
        return try precedes(x, y, sign, swapped: swapped)
      }
      return a.values.count < b.values.count
    case (.undefined(let undefined), _), (_, .undefined(let undefined)): throw fail(undefined)
    default:
      guard let a = Number(left), let b = Number(right) else {
        let (first, second) = swapped ? (right, left) : (left, right)
        throw fail(
          .type,
          "'\(sign)' not supported between instances of '\(first.typeName)' and '\(second.typeName)'")
      }
      if let first = a.whole, let second = b.whole { return first < second }
      return a.double < b.double
    }
  }

  /// Python's `value in container`.
  func contains(_ container: Value, _ value: Value) throws(TemplateError) -> Bool {
    try step()
    switch container {
    case .string(let text):
      guard case .string(let part) = value else {
        if case .undefined(let undefined) = value { throw fail(undefined) }
        throw fail(.type, "'in <string>' requires string as left operand, not \(value.typeName)")
      }
      try step(text.bytes.count >> 4)
      return text.contains(part)
    case .dictionary(let dictionary):
      guard let key = value.key else {
        if value.isUndefined { return false }
        throw fail(.type, "a \(value.typeName) cannot be a key")
      }
      return dictionary[key] != nil
    case .undefined: return false
    default:
      for item in try items(of: container, purpose: .membership) where try equal(item, value) { return true }
      return false
    }
  }
}

extension Interpreter {
  enum WalkPurpose { case iteration, membership }

  /// The items that walking over `value` gives.
  func items(of value: Value, purpose: WalkPurpose = .iteration) throws(TemplateError) -> [Value] {
    switch value {
    case .list(let list), .tuple(let list): return list.values
    case .view(let view): return view.items.values
    case .dictionary(let dictionary): return dictionary.keys
    case .iterator(let iterator): return iterator.takeRest()
    case .undefined: return []
    case .string(let text):
      try allocate(text.count * Interpreter.costOfPart + text.bytes.count * 8)
      return text.characters.map { .string($0) }
    case .range(let range):
      try allocate(range.count * MemoryLayout<Value>.stride)
      return (0..<range.count).map { .integer(range[$0]) }
    case .loop(let loop):
      var rest: [Value] = []
      while let item = try loop.advance(self) { rest.append(item) }
      return rest
    default:
      throw fail(
        .type,
        purpose == .membership
          ? "argument of type '\(value.typeName)' is not iterable" : "'\(value.typeName)' object is not iterable")
    }
  }
}
