/// Shapes become what the automaton walks: what can't occur is taken out, and what is left can always be finished.
extension SchemaCompiler {
  /// - Returns: `nil` when no object has this shape.
  func record(_ shape: ObjectShape) throws(GrammarError) -> ObjectRecord? {
    var record = ObjectRecord()
    record.minimum = shape.minimum
    record.maximum = shape.maximum
    var all = shape.order
    for name in shape.required where !all.contains(name) { all.append(name) }
    for rule in shape.rules + shape.witnesses {
      if case .name(let name) = rule.keys, !all.contains(name) { all.append(name) }
    }
    var declared: [Key: SchemaID] = [:]
    let wide = shape.rules.filter { if case .name = $0.keys { false } else { true } }
    for rule in shape.rules {
      if case .name(let name) = rule.keys { declared[name] = table.and([declared[name] ?? 0, rule.value]) }
    }
    for name in all {
      var value = declared[name] ?? SchemaTable.anything
      for rule in wide where value != SchemaTable.nothing && contains(rule.keys, name) {
        value = table.and([value, rule.value])
      }
      let isRequired = shape.required.contains(name)
      guard try isInhabited(value) else {
        if isRequired { return nil }
        continue
      }
      record.trie.insert(Self.spelling(name), name: record.names.count)
      record.names.append(name)
      record.values.append(value)
      record.isRequired.append(isRequired)
    }
    let count = record.names.count
    record.requiredFrom = Array(repeating: 0, count: count + 1)
    record.optionalFrom = record.requiredFrom
    for index in (0..<count).reversed() {
      record.requiredFrom[index] = record.requiredFrom[index + 1] + (record.isRequired[index] ? 1 : 0)
      record.optionalFrom[index] = record.optionalFrom[index + 1] + (record.isRequired[index] ? 0 : 1)
    }
    try addExtras(shape, all: all, wide: wide, to: &record)
    try addWitnesses(shape, to: &record)
    guard isFeasible(record) else { return nil }
    return record
  }

  private func addExtras(
    _ shape: ObjectShape, all: [Key], wide: [KeyRule], to record: inout ObjectRecord
  ) throws(GrammarError) {
    record.extraRules = wide
    if options.closesObjects, !shape.isExplicit, !shape.order.isEmpty,
      shape.minimum <= record.names.count, shape.witnesses.isEmpty
    {
      return
    }
    var allowed: [PatternID] = []
    var isClosed = false
    for rule in wide {
      if try isInhabited(rule.value) { continue }
      switch rule.keys {
      case .name: break
      case .pattern(let pattern): allowed.append(patterns.complement(pattern))
      case .others(let names, let excluded):
        if excluded.isEmpty, names.allSatisfy({ all.contains($0) }) { isClosed = true }
        allowed.append(patterns.union(excluded + [patterns.literals(names.map(\.text))]))
      }
    }
    if isClosed { return }
    // Keys that follow several rules at once need a value for all of them.
    let open = wide.filter { $0.value != SchemaTable.nothing && $0.value != SchemaTable.anything }
    if open.count > 1 {
      guard open.count <= 8 else {
        throw GrammarError(
          pointer: place(of: open[0].value), keyword: "patternProperties",
          reason: "more than 8 overlapping rules for keys are not supported")
      }
      for subset in 1..<(1 << open.count) where subset.nonzeroBitCount > 1 {
        let chosen = open.indices.filter { subset >> $0 & 1 == 1 }
        let language = patterns.intersection(chosen.map { self.language(open[$0].keys) })
        guard patterns.isAlive(language) else { continue }
        if try !isInhabited(table.and(chosen.map { open[$0].value })) {
          allowed.append(patterns.complement(language))
        }
      }
    }
    let others = patterns.complement(patterns.literals(all.map(\.text)))
    record.extraPattern = patterns.intersection(allowed + (all.isEmpty ? [] : [others]))
    guard patterns.isAlive(record.extraPattern) else {
      record.extraPattern = PatternStore.nothing
      return
    }
    record.extra = leaves.string(record.extraPattern, .canonical)
    record.extraIsRuled = !allowed.isEmpty
  }

  /// How many undeclared keys there can be (`nil`: no end), and whether every beginning of one can go on without end.
  func extraBounds(_ record: ObjectRecord) -> (count: Int?, isOpen: Bool) {
    if record.extra == 0 { return (0, false) }
    if !record.extraIsRuled { return (nil, true) }
    if let known = keyBounds[record.extraPattern] { return known }
    let lengths = LengthTable(record.extraPattern, minimum: 0, maximum: nil, in: patterns)
    let isOpen = lengths?.isEndless ?? false
    let result = (count: isOpen ? nil : patterns.textCount(record.extraPattern, upTo: 64), isOpen: isOpen)
    keyBounds[record.extraPattern] = result
    return result
  }

  private func addWitnesses(_ shape: ObjectShape, to record: inout ObjectRecord) throws(GrammarError) {
    for witness in shape.witnesses {
      var values: [Int: SchemaID] = [:]
      for (index, name) in record.names.enumerated() where contains(witness.keys, name) {
        let value = table.and([record.values[index], witness.value])
        if try isInhabited(value) { values[index] = value }
      }
      var canBeExtra = false
      if record.extra != 0 {
        let keys = patterns.intersection([record.extraPattern, language(witness.keys)])
        if patterns.isAlive(keys) {
          let rules = record.extraRules.filter {
            patterns.isAlive(patterns.intersection([keys, language($0.keys)]))
          }
          canBeExtra = try isInhabited(table.and(rules.map(\.value) + [witness.value]))
        }
      }
      record.witnesses.append(witness)
      record.witnessValues.append(values)
      record.extraCanWitness.append(canBeExtra)
    }
  }

  /// Whether an empty object can be completed.
  private func isFeasible(_ record: ObjectRecord) -> Bool {
    let required = record.requiredFrom[0]
    if let maximum = record.maximum, required > maximum { return false }
    if record.names.count < record.minimum, let count = extraBounds(record).count,
      record.names.count + count < record.minimum
    {
      return false
    }
    var open = 0
    for (index, values) in record.witnessValues.enumerated() {
      if values.isEmpty && !record.extraCanWitness[index] { return false }
      if !values.keys.contains(where: { record.isRequired[$0] }) { open += 1 }
    }
    if let maximum = record.maximum, required + open > maximum { return false }
    return true
  }

  func language(_ keys: KeySet) -> PatternID {
    switch keys {
    case .name(let key): patterns.literals([key.text])
    case .pattern(let pattern): pattern
    case .others(let names, let excluded):
      patterns.complement(patterns.union(excluded + [patterns.literals(names.map(\.text))]))
    }
  }

  /// - Returns: `nil` when no array has this shape.
  func record(_ shape: ArrayShape) throws(GrammarError) -> ArrayRecord? {
    var record = ArrayRecord(
      prefix: shape.prefix, rest: shape.rest, minimum: shape.minimum, maximum: shape.maximum,
      contains: shape.contains.filter { $0.minimum > 0 || $0.maximum != nil }, isUnique: shape.isUnique)
    for (index, item) in shape.prefix.enumerated() {
      if let maximum = record.maximum, index >= maximum { break }
      if try !isInhabited(item) {
        record.maximum = index
        break
      }
    }
    if record.maximum.map({ $0 > shape.prefix.count }) ?? true, try !isInhabited(shape.rest) {
      record.maximum = shape.prefix.count
    }
    if let maximum = record.maximum, maximum < record.minimum { return nil }
    if record.maximum == nil, let limit = options.maximumItems { record.maximum = max(limit, record.minimum) }
    guard record.contains.count <= 4 else {
      throw GrammarError(
        pointer: place(of: record.contains[0].value), keyword: "contains",
        reason: "more than 4 together are not supported")
    }
    if !record.contains.isEmpty, try !canFinish(record, index: 0, counts: record.contains.map { _ in 0 }) { return nil }
    if record.isUnique { try checkUnique(&record) }
    return record.maximum.map { $0 < record.minimum } ?? false ? nil : record
  }

  /// `"key"` as it is written, without the opening quote.
  static func spelling(_ key: Key) -> [UInt8] {
    Array(jsonSpelling(key.text).dropFirst())
  }
}
