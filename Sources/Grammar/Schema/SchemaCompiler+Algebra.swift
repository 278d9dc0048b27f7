/// Intersection, union and complement of shapes.
extension SchemaCompiler {
  func intersection(_ left: Shape, _ right: Shape, at id: SchemaID) throws(GrammarError) -> Shape {
    if left == .anything { return right }
    if right == .anything { return left }
    var result = Shape(
      allowsNull: left.allowsNull && right.allowsNull, allowsTrue: left.allowsTrue && right.allowsTrue,
      allowsFalse: left.allowsFalse && right.allowsFalse)
    for one in left.strings {
      for two in right.strings {
        if let both = intersection(one, two), !result.strings.contains(both) { result.strings.append(both) }
      }
    }
    for one in left.numbers {
      for two in right.numbers {
        if let both = one.intersection(two), !result.numbers.contains(both) { result.numbers.append(both) }
      }
    }
    for one in left.objects {
      for two in right.objects {
        if let both = intersection(one, two), !result.objects.contains(both) { result.objects.append(both) }
      }
      if result.objects.count > alternativeBudget { break }
    }
    for one in left.arrays {
      for two in right.arrays {
        if let both = intersection(one, two), !result.arrays.contains(both) { result.arrays.append(both) }
      }
      if result.arrays.count > alternativeBudget { break }
    }
    return try checked(result, at: id)
  }

  /// Any of many: their strings become one pattern at the end, and too many alternatives are noticed on the way.
  func union(_ parts: [SchemaID], at id: SchemaID) throws(GrammarError) -> Shape {
    var result = Shape.nothing
    var texts: [PatternID] = []
    for part in parts {
      var shape = try self.shape(part)
      for string in shape.strings where string.minimum == 0 && string.maximum == nil { texts.append(string.pattern) }
      shape.strings.removeAll { $0.minimum == 0 && $0.maximum == nil }
      result = try checked(union(result, shape), at: id)
    }
    if texts.isEmpty { return result }
    return try checked(union(result, Shape(strings: [StringShape(pattern: patterns.union(texts))])), at: id)
  }

  func union(_ left: Shape, _ right: Shape) -> Shape {
    var result = left
    result.allowsNull = left.allowsNull || right.allowsNull
    result.allowsTrue = left.allowsTrue || right.allowsTrue
    result.allowsFalse = left.allowsFalse || right.allowsFalse
    for string in right.strings where !result.strings.contains(string) {
      // Strings without lengths are one automaton.
      if string.minimum == 0, string.maximum == nil,
        let place = result.strings.firstIndex(where: { $0.minimum == 0 && $0.maximum == nil })
      {
        result.strings[place].pattern = patterns.union([result.strings[place].pattern, string.pattern])
      } else {
        result.strings.append(string)
      }
    }
    if result.strings.contains(where: \.isFree) { result.strings = [StringShape()] }
    for number in right.numbers where !result.numbers.contains(number) { result.numbers.append(number) }
    if result.numbers.contains(where: \.isFree) { result.numbers = [NumberConstraint()] }
    for object in right.objects where !result.objects.contains(object) { result.objects.append(object) }
    for array in right.arrays where !result.arrays.contains(array) { result.arrays.append(array) }
    return result
  }

  func complement(_ shape: Shape, at id: SchemaID) throws(GrammarError) -> Shape {
    var result = Shape.anything
    result.allowsNull = !shape.allowsNull
    result.allowsTrue = !shape.allowsTrue
    result.allowsFalse = !shape.allowsFalse
    for string in shape.strings {
      var outside = Shape.anything
      outside.strings = [StringShape(pattern: patterns.complement(string.pattern))]
      if string.minimum > 0 { outside.strings.append(StringShape(maximum: string.minimum - 1)) }
      if let maximum = string.maximum { outside.strings.append(StringShape(minimum: maximum + 1)) }
      outside.strings.removeAll { $0.pattern == PatternStore.nothing }
      result = try intersection(result, outside, at: id)
    }
    for number in shape.numbers {
      var outside = Shape.anything
      outside.numbers = number.complement
      result = try intersection(result, outside, at: id)
    }
    for object in shape.objects {
      var outside = Shape.anything
      outside.objects = complement(object)
      result = try intersection(result, outside, at: id)
    }
    for array in shape.arrays {
      var outside = Shape.anything
      outside.arrays = try complement(array, at: id)
      result = try intersection(result, outside, at: id)
    }
    for index in result.objects.indices { result.objects[index].evaluated = EvaluatedKeys() }
    for index in result.arrays.indices { result.arrays[index].evaluated = 0 }
    return result
  }

  private func intersection(_ left: StringShape, _ right: StringShape) -> StringShape? {
    var result = left
    result.pattern = patterns.intersection([left.pattern, right.pattern])
    result.minimum = max(left.minimum, right.minimum)
    if let maximum = right.maximum { result.maximum = min(left.maximum ?? maximum, maximum) }
    if result.pattern == PatternStore.nothing { return nil }
    if let maximum = result.maximum, maximum < result.minimum { return nil }
    return result
  }

  func intersection(_ left: ObjectShape, _ right: ObjectShape) -> ObjectShape? {
    var result = left
    for rule in right.rules where !result.rules.contains(rule) { result.rules.append(rule) }
    for name in right.order where !result.order.contains(name) { result.order.append(name) }
    for name in right.required where !result.required.contains(name) { result.required.append(name) }
    for witness in right.witnesses where !result.witnesses.contains(witness) { result.witnesses.append(witness) }
    result.minimum = max(left.minimum, right.minimum)
    if let maximum = right.maximum { result.maximum = min(left.maximum ?? maximum, maximum) }
    result.isExplicit = left.isExplicit || right.isExplicit
    result.evaluated.formUnion(right.evaluated)
    if let maximum = result.maximum, maximum < max(result.minimum, result.required.count) { return nil }
    for rule in result.rules where rule.value == SchemaTable.nothing {
      if result.required.contains(where: { contains(rule.keys, $0) }) { return nil }
    }
    return result
  }

  private func intersection(_ left: ArrayShape, _ right: ArrayShape) -> ArrayShape? {
    var result = left
    let count = max(left.prefix.count, right.prefix.count)
    result.prefix = (0..<count).map { index in
      table.and([
        index < left.prefix.count ? left.prefix[index] : left.rest,
        index < right.prefix.count ? right.prefix[index] : right.rest,
      ])
    }
    result.rest = table.and([left.rest, right.rest])
    result.minimum = max(left.minimum, right.minimum)
    if let maximum = right.maximum { result.maximum = min(left.maximum ?? maximum, maximum) }
    for contains in right.contains where !result.contains.contains(contains) { result.contains.append(contains) }
    result.isUnique = left.isUnique || right.isUnique
    result.evaluated = left.evaluated < 0 || right.evaluated < 0 ? -1 : max(left.evaluated, right.evaluated)
    if let maximum = result.maximum, maximum < result.minimum { return nil }
    return result
  }

  private func complement(_ object: ObjectShape) -> [ObjectShape] {
    var result: [ObjectShape] = []
    for rule in object.rules where rule.value != SchemaTable.anything {
      let violation = table.not(rule.value)
      if case .name(let name) = rule.keys {
        result.append(
          ObjectShape(rules: [KeyRule(keys: rule.keys, value: violation)], order: [name], required: [name]))
      } else {
        result.append(ObjectShape(witnesses: [KeyRule(keys: rule.keys, value: violation)]))
      }
    }
    for name in object.required {
      result.append(ObjectShape(rules: [KeyRule(keys: .name(name), value: SchemaTable.nothing)]))
    }
    if object.minimum > 0 { result.append(ObjectShape(maximum: object.minimum - 1)) }
    if let maximum = object.maximum { result.append(ObjectShape(minimum: maximum + 1)) }
    for witness in object.witnesses {
      result.append(ObjectShape(rules: [KeyRule(keys: witness.keys, value: table.not(witness.value))]))
    }
    return result
  }

  private func complement(_ array: ArrayShape, at id: SchemaID) throws(GrammarError) -> [ArrayShape] {
    if array.isUnique {
      throw GrammarError(
        pointer: place(of: id), keyword: "uniqueItems", reason: "the negation of uniqueItems is not supported")
    }
    var result: [ArrayShape] = []
    for (index, item) in array.prefix.enumerated() where item != SchemaTable.anything {
      var prefix = [SchemaID](repeating: SchemaTable.anything, count: index)
      prefix.append(table.not(item))
      result.append(ArrayShape(prefix: prefix, minimum: index + 1))
    }
    if array.rest != SchemaTable.anything {
      let violation = table.not(array.rest)
      if violation == SchemaTable.anything {
        result.append(ArrayShape(minimum: array.prefix.count + 1))
      } else {
        result.append(
          ArrayShape(contains: [.init(value: violation, minimum: 1, maximum: nil, from: array.prefix.count)]))
      }
    }
    if array.minimum > 0 { result.append(ArrayShape(maximum: array.minimum - 1)) }
    if let maximum = array.maximum { result.append(ArrayShape(minimum: maximum + 1)) }
    for contains in array.contains {
      if contains.minimum > 0 {
        var fewer = contains
        fewer.maximum = contains.minimum - 1
        fewer.minimum = 0
        result.append(ArrayShape(contains: [fewer]))
      }
      if let maximum = contains.maximum {
        var more = contains
        more.minimum = maximum + 1
        more.maximum = nil
        result.append(ArrayShape(contains: [more]))
      }
    }
    return result
  }

  func contains(_ keys: KeySet, _ key: Key) -> Bool {
    switch keys {
    case .name(let name): name == key
    case .pattern(let pattern): patterns.matches(pattern, key.text)
    case .others(let names, let excluded):
      !names.contains(key) && !excluded.contains { patterns.matches($0, key.text) }
    }
  }
}
