/// Whether a schema allows any value at all, so that the automaton has no dead ends.
extension SchemaCompiler {
  /// Least fixed point: a value that needs itself inside doesn't exist.
  func isInhabited(_ id: SchemaID) throws(GrammarError) -> Bool {
    if id == SchemaTable.anything { return true }
    if id == SchemaTable.nothing { return false }
    if let known = inhabited[id] { return known }
    guard inhabitedInProgress.insert(id).inserted else {
      inhabitedIsTainted = true
      return false
    }
    guard inhabitedInProgress.count < 200 else {
      throw GrammarError(pointer: place(of: id), keyword: "", reason: "schemas are nested too deeply (more than 200)")
    }
    let wasTainted = inhabitedIsTainted
    inhabitedIsTainted = false
    let result = try isInhabited(try shape(id))
    inhabitedInProgress.remove(id)
    // "No" under the assumption that a schema further up has no value is only final at the top.
    if result || !inhabitedIsTainted || inhabitedInProgress.isEmpty {
      inhabited[id] = result
    }
    inhabitedIsTainted = wasTainted || (inhabitedIsTainted && !inhabitedInProgress.isEmpty)
    return result
  }

  private func isInhabited(_ shape: Shape) throws(GrammarError) -> Bool {
    if shape.allowsNull || shape.allowsTrue || shape.allowsFalse { return true }
    for string in shape.strings where isInhabited(string) { return true }
    for number in shape.numbers where isInhabited(number) { return true }
    for object in shape.objects where try isInhabited(object) { return true }
    for array in shape.arrays where try isInhabited(array) { return true }
    return false
  }

  func isInhabited(_ string: StringShape) -> Bool {
    guard patterns.isAlive(string.pattern) else { return false }
    if string.pattern == PatternStore.anything || (string.minimum == 0 && string.maximum == nil) { return true }
    guard let lengths = lengthTable(string) else { return true }
    return lengths.allows(string.pattern, minimum: string.minimum, maximum: string.maximum)
  }

  func lengthTable(_ string: StringShape) -> LengthTable? {
    if let known = lengthTables[string] { return known }
    let table = LengthTable(string.pattern, minimum: string.minimum, maximum: string.maximum, in: patterns)
    lengthTables[string] = table
    return table
  }

  func isInhabited(_ number: NumberConstraint) -> Bool {
    ((try? leaves.number(number, maximumDigits: options.maximumDigits)) ?? 1) != 0
  }

  func isInhabited(_ object: ObjectShape) throws(GrammarError) -> Bool {
    if let known = objectHopes[object] { return known }
    if let known = objectIDs[object] { return known >= 0 }
    let tainted = inhabitedIsTainted
    inhabitedIsTainted = false
    let record = try record(object)
    let result = record != nil
    if let record, !inhabitedIsTainted {
      // Under an assumption that is still open, members could be missing in it.
      if objectIDs[object] == nil { add(record, of: object) }
    } else if result || !inhabitedIsTainted {
      objectHopes[object] = result
    }
    inhabitedIsTainted = inhabitedIsTainted || tainted
    return result
  }

  func isInhabited(_ array: ArrayShape) throws(GrammarError) -> Bool {
    try record(array) != nil
  }
}
