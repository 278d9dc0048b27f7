/// First states of values.
extension SchemaCompiler {
  /// - Parameter isCanonical: strings have one spelling per value, so that texts can be compared.
  func node(_ id: SchemaID, isCanonical: Bool = false) throws(GrammarError) -> ValueNode {
    if let known = isCanonical ? canonicalNodes[id] : nodes[id] { return known }
    let shape = try shape(id)
    var node = ValueNode(
      allowsNull: shape.allowsNull, allowsTrue: shape.allowsTrue, allowsFalse: shape.allowsFalse)
    for string in shape.strings where isInhabited(string) {
      let isFree = string.pattern == PatternStore.anything
      let spec = try spec(string, at: id)
      node.strings.append((leaves.string(string.pattern, isFree && !isCanonical ? .json : .canonical), spec))
    }
    for number in shape.numbers {
      do {
        let leaf = try leaves.number(number, maximumDigits: options.maximumDigits)
        if leaf != 0 { node.numbers.append(leaf) }
      } catch {
        throw GrammarError(pointer: place(of: id), keyword: "multipleOf", reason: error.reason)
      }
    }
    for object in shape.objects {
      if let known = objectIDs[object] {
        if known >= 0 { node.objects.append(known) }
      } else if let record = try record(object) {
        node.objects.append(add(record, of: object))
      } else {
        objectIDs[object] = -1
      }
    }
    for array in shape.arrays {
      if let known = arrayIDs[array] {
        if known >= 0 { node.arrays.append(known) }
      } else if let record = try record(array) {
        arrayIDs[array] = Int32(truncatingIfNeeded: arrays.count)
        node.arrays.append(Int32(truncatingIfNeeded: arrays.count))
        arrays.append(record)
      } else {
        arrayIDs[array] = -1
      }
    }
    if node.allowsNull { node.live.insert(UInt8(ascii: "n")) }
    if node.allowsTrue { node.live.insert(UInt8(ascii: "t")) }
    if node.allowsFalse { node.live.insert(UInt8(ascii: "f")) }
    if !node.strings.isEmpty { node.live.insert(UInt8(ascii: "\"")) }
    if !node.objects.isEmpty { node.live.insert(UInt8(ascii: "{")) }
    if !node.arrays.isEmpty { node.live.insert(UInt8(ascii: "[")) }
    for leaf in node.numbers { node.live.formUnion(leaves.liveBytes(leaf)) }
    if isCanonical { canonicalNodes[id] = node } else { nodes[id] = node }
    return node
  }

  @discardableResult
  func add(_ record: ObjectRecord, of object: ObjectShape) -> Int32 {
    let index = Int32(truncatingIfNeeded: objects.count)
    objectIDs[object] = index
    objects.append(record)
    return index
  }

  private func spec(_ string: StringShape, at id: SchemaID) throws(GrammarError) -> Int32 {
    let isFree = string.pattern == PatternStore.anything
    var maximum = string.maximum
    if maximum == nil, isFree, let limit = options.maximumStringLength { maximum = max(limit, string.minimum) }
    if string.minimum == 0, maximum == nil { return -1 }
    var spec = StringSpec(
      minimum: Int32(clamping: string.minimum), maximum: maximum.map { Int32(clamping: $0) }, lengths: -1)
    if !isFree {
      guard let table = lengthTable(string) else {
        throw GrammarError(
          pointer: place(of: id), keyword: "pattern", reason: "too large together with minLength and maxLength")
      }
      spec.lengths = Int32(truncatingIfNeeded: lengths.count)
      lengths.append(table)
    }
    stringSpecs.append(spec)
    return Int32(truncatingIfNeeded: stringSpecs.count - 1)
  }

  /// Compiles everything that can be reached from a schema, so that what can't be honoured is found now.
  func explore(_ root: SchemaID) throws(GrammarError) {
    if explored.contains(root) { return }
    let isPossible = try isInhabited(root)
    try checkBudget(root)
    guard isPossible else {
      throw GrammarError(pointer: place(of: root), keyword: "", reason: emptyReason(root))
    }
    var queue = [root]
    var seen = Set(queue)
    var order: [SchemaID] = []
    func add(_ id: SchemaID) { if !explored.contains(id), seen.insert(id).inserted { queue.append(id) } }
    while let id = queue.popLast() {
      let node = try node(id)
      order.append(id)
      try checkBudget(id)
      for index in node.objects {
        let record = objects[Int(index)]
        record.values.forEach(add)
        record.witnessValues.forEach { $0.values.forEach(add) }
        if record.extra != 0 {
          for value in try extraValues(record) { add(value) }
        }
      }
      for index in node.arrays {
        let record = arrays[Int(index)]
        if record.contains.isEmpty {
          let count = min(record.prefix.count, record.maximum ?? Int.max)
          record.prefix.prefix(count).forEach(add)
          if record.maximum.map({ $0 > record.prefix.count }) ?? true { add(record.rest) }
        } else {
          for value in try containedValues(record) { add(value) }
        }
        if record.isUnique { _ = try self.node(record.rest, isCanonical: true) }
      }
    }
    try checkBudget(root)
    try checkSizes(order)
    explored.formUnion(seen)
  }

  private func checkBudget(_ id: SchemaID) throws(GrammarError) {
    guard patterns.isExhausted else { return }
    throw GrammarError(pointer: place(of: id), keyword: "pattern", reason: "the pattern needs too many states")
  }

  /// The schemas that values of undeclared keys can have: one per set of rules that a key can follow.
  func extraValues(_ record: ObjectRecord) throws(GrammarError) -> [SchemaID] {
    let rules = record.extraRules.filter { $0.value != SchemaTable.nothing }
    var result: [SchemaID] = []
    let sets = record.witnesses.count + rules.count
    guard sets <= 10 else {
      throw GrammarError(
        pointer: place(of: rules.first?.value ?? 0), keyword: "patternProperties",
        reason: "more than 10 rules for undeclared keys are not supported")
    }
    for subset in 0..<(1 << sets) {
      var parts: [SchemaID] = []
      for (index, rule) in rules.enumerated() where subset >> index & 1 == 1 { parts.append(rule.value) }
      for (index, rule) in record.witnesses.enumerated() where subset >> (rules.count + index) & 1 == 1 {
        parts.append(rule.value)
      }
      let value = table.and(parts)
      if try isInhabited(value) { result.append(value) }
    }
    return result
  }

  private func containedValues(_ record: ArrayRecord) throws(GrammarError) -> [SchemaID] {
    var result: [SchemaID] = []
    for base in Set(record.prefix + [record.rest]) {
      for subset in 0..<(1 << (2 * record.contains.count)) {
        var parts = [base]
        for (index, contains) in record.contains.enumerated() {
          if subset >> (2 * index) & 1 == 1 { parts.append(contains.value) }
          if subset >> (2 * index + 1) & 1 == 1, contains.maximum != nil { parts.append(table.not(contains.value)) }
        }
        let value = table.and(parts)
        if try isInhabited(value) { result.append(value) }
      }
    }
    return result
  }

  /// Says which part has no value, when that can be said.
  private func emptyReason(_ root: SchemaID) -> String {
    guard let shape = try? shape(root), shape.objects.count == 1, shape.arrays.isEmpty, !shape.hasScalar,
      let object = shape.objects.first
    else { return "no value satisfies the schema" }
    for name in object.required {
      let rules = object.rules.filter { contains($0.keys, name) }.map(\.value)
      if let isPossible = try? isInhabited(table.and(rules)), !isPossible {
        return "no value satisfies the schema of the required property \"\(name.text)\""
      }
    }
    return "no value satisfies the schema"
  }
}
