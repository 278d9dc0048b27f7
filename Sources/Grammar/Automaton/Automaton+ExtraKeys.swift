/// Undeclared keys that bring an object nearer to its end.
extension Automaton {
  /// Ends of the undeclared key in `top`, the best first: one that an open condition (`not` around rules for keys) needs, the
  /// shortest, one with a number or letters of its own, and one that surely isn't there yet.
  func extraKeyEnds(_ top: Frame, _ object: Frame, shortest: [UInt8]) -> [[UInt8]] {
    let record = schemas.objects[Int(object.a)]
    let progress = objectProgress[object.b]
    let written = captures.text(top.c)
    var result: [[UInt8]] = []
    for index in record.witnesses.indices
    where progress.witnesses >> UInt32(index) & 1 == 0 && record.extraCanWitness[index] {
      if let end = keyEnd(record, progress, schemas.language(record.witnesses[index].keys), written) {
        result.append(end)
      }
    }
    if progress.extras.isEmpty { return result + [shortest] }
    let present = Set(progress.extras.map { captures.text($0) })
    for own in [[], Array(String(progress.extras.count).utf8), Self.letters(progress.extras.count)] {
      var leaf = top.a
      for byte in own { leaf = leaves.target(leaf, Int(byte)) }
      guard leaf != 0, let end = leafEnd(leaf, count: 0, spec: -1) else { continue }
      if !present.contains(written + own + end) { result.append(own + end) }
    }
    if result.isEmpty, let end = keyEnd(record, progress, PatternStore.anything, written) { result.append(end) }
    return result
  }

  /// The shortest end of a key behind `written` that is in `language` and not in the object yet.
  private func keyEnd(
    _ record: ObjectRecord, _ progress: ObjectProgress, _ language: PatternID, _ written: [UInt8]
  ) -> [UInt8]? {
    let patterns = leaves.patterns
    let keys = patterns.intersection([record.extraPattern, language, complement(of: progress.extras)])
    guard patterns.isAlive(keys) else { return nil }
    var leaf = leaves.target(leaves.string(keys, .canonical), 0x22)
    for byte in written { leaf = leaves.target(leaf, Int(byte)) }
    return leaf == 0 ? nil : leafEnd(leaf, count: 0, spec: -1)
  }

  /// `number` in letters: a, b, … z, aa, ab, …
  private static func letters(_ number: Int) -> [UInt8] {
    var result: [UInt8] = []
    var rest = number
    while rest > 0 {
      result.append(UInt8(ascii: "a") + UInt8((rest - 1) % 26))
      rest = (rest - 1) / 26
    }
    return result.reversed()
  }
}
