/// How much a schema asks for at least, so that whatever has been begun can be ended.
extension SchemaCompiler {
  /// Bytes of the shortest text of a value: a schema that asks for more is refused.
  static let longestRequired = PatternTree.longestRequired
  /// Names of properties in one object, and schemas of items in one array.
  static let mostNames = 5_000
  /// Properties, and unique items, that a schema may ask for: each is told apart from all before it.
  static let mostRequiredProperties = 4_000
  static let mostRequiredUnique = 100

  /// Finds the length of the shortest text of each schema, children of each other in any order.
  ///
  /// - Throws: the innermost schema whose alternatives include one that is too long.
  func checkSizes(_ ids: [SchemaID]) throws(GrammarError) {
    var isFinal = false
    while !isFinal {
      isFinal = true
      for id in ids.reversed() {
        let size = try alternatives(id).map(\.size).min() ?? .max
        if size < leastSizes[id] ?? .max {
          leastSizes[id] = size
          isFinal = false
        }
      }
    }
    for id in ids.reversed() {
      for (size, keyword) in try alternatives(id) where size > Self.longestRequired {
        throw GrammarError(
          pointer: place(of: id), keyword: keyword,
          reason: size == .max
            ? "asks for more than can be told apart (\(Self.mostRequiredProperties) properties, "
              + "\(Self.mostRequiredUnique) unique items)"
            : "asks for values of more than \(Self.longestRequired) bytes (\(size))")
      }
    }
  }

  /// The ways to write a value of `id`: bytes of the shortest text, and the keyword to blame when that is too long.
  private func alternatives(_ id: SchemaID) throws(GrammarError) -> [(size: Int, keyword: String)] {
    let node = try node(id)
    var result: [(size: Int, keyword: String)] = []
    if node.allowsNull || node.allowsTrue || node.allowsFalse || !node.numbers.isEmpty { result.append((1, "")) }
    for string in node.strings {
      result.append((2 + (string.spec < 0 ? 0 : Int(stringSpecs[Int(string.spec)].minimum)), "minLength"))
    }
    for index in node.objects { result.append((try size(objects[Int(index)]), "minProperties")) }
    for index in node.arrays {
      let record = arrays[Int(index)]
      result.append((size(record), record.contains.isEmpty ? "minItems" : "minContains"))
    }
    return result
  }

  private func known(_ id: SchemaID) -> Int { id == SchemaTable.anything ? 1 : leastSizes[id] ?? .max }

  private func size(_ record: ObjectRecord) throws(GrammarError) -> Int {
    guard record.minimum <= max(record.names.count, Self.mostRequiredProperties) else { return .max }
    var total = 2
    var spare = Int.max
    for index in record.names.indices {
      let member = sum(known(record.values[index]), record.names[index].text.utf8.count + 4)
      if record.isRequired[index] { total = sum(total, member) } else { spare = min(spare, member) }
    }
    let missing = record.minimum - record.requiredFrom[0]
    guard missing > 0 else { return total }
    if record.extra != 0 {
      for value in try extraValues(record) { spare = min(spare, sum(known(value), 4)) }
    }
    return sum(total, product(spare, missing))
  }

  private func size(_ record: ArrayRecord) -> Int {
    if record.isUnique, record.minimum > Self.mostRequiredUnique { return .max }
    let count = max(record.minimum, record.contains.map { sum($0.minimum, $0.minimum > 0 ? $0.from : 0) }.max() ?? 0)
    var total = 2
    for item in record.prefix.prefix(count) { total = sum(total, sum(known(item), 1)) }
    guard count > record.prefix.count else { return total }
    return sum(total, product(sum(known(record.rest), 1), count - record.prefix.count))
  }

  private func sum(_ left: Int, _ right: Int) -> Int {
    let (result, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : result
  }

  private func product(_ left: Int, _ right: Int) -> Int {
    let (result, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? .max : result
  }
}
