import JSON

/// `oneOf`, `anyOf` with evaluated keys, dependencies, and the `unevaluated…` keywords.
extension SchemaCompiler {
  /// Exactly one: each alternative without those others that could hold at the same time.
  func oneOf(_ parts: [SchemaID], _ site: SchemaSite) throws(GrammarError) -> Shape {
    guard !parts.isEmpty else { throw wrong(site, "oneOf", "must not be empty") }
    guard parts.count <= alternativeBudget else {
      throw wrong(site, "oneOf", "more than \(alternativeBudget) alternatives are not supported")
    }
    let constants = parts.map { constant($0) }
    var result = Shape.nothing
    for (index, part) in parts.enumerated() {
      var alternative = try shape(part)
      for (other, rival) in parts.enumerated() where other != index {
        if part == rival {
          alternative = .nothing
          break
        }
        if let one = constants[index], let two = constants[other], !SchemaValidator.equal(one, two) { continue }
        let both = try intersection(alternative, try shape(rival), at: part)
        if isSurelyNothing(both) { continue }
        alternative = try intersection(alternative, try shape(table.not(rival)), at: part)
      }
      result = union(result, alternative)
    }
    return result
  }

  /// The only value that a schema allows, where it says so at once: most long lists of alternatives are constants with
  /// descriptions.
  private func constant(_ id: SchemaID) -> JSONValue? {
    guard case .site(let index) = table.nodes[Int(id)] else { return nil }
    let site = table.sites[Int(index)]
    if documents[site.document].ignoresNeighboursOfReference, site.value["$ref"] != nil { return nil }
    return site.value["const"]
  }

  /// Every subset of alternatives that hold together evaluates its own keys.
  func anyOfWithEvaluation(_ parts: [SchemaID], _ site: SchemaSite, _ id: SchemaID) throws(GrammarError) -> Shape {
    guard parts.count <= 6 else {
      throw wrong(site, "anyOf", "more than 6 alternatives together with unevaluated keywords are not supported")
    }
    var result = Shape.nothing
    for subset in 1..<(1 << parts.count) {
      var shape = Shape.anything
      for (index, part) in parts.enumerated() where subset >> index & 1 == 1 {
        shape = try intersection(shape, try self.shape(part), at: id)
      }
      result = try checked(union(result, shape), at: id)
    }
    return result
  }

  func restrictByDependencies(
    _ site: SchemaSite, _ object: JSONObject, _ id: SchemaID, _ shape: inout Shape
  ) throws(GrammarError) {
    for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
      guard let value = object[keyword] else { continue }
      guard case .object(let dependencies) = value else { throw wrong(site, keyword, "must be an object") }
      for (name, dependency) in dependencies.members {
        let key = Key(name)
        var absent = Shape.anything
        absent.objects = [ObjectShape(rules: [KeyRule(keys: .name(key), value: SchemaTable.nothing)])]
        var present = Shape.nothing
        if case .array(let names) = dependency, keyword != "dependentSchemas" {
          var required = [key]
          for item in names {
            guard let text = item.stringValue else { throw wrong(site, keyword, "must hold arrays of names") }
            if !required.contains(Key(text)) { required.append(Key(text)) }
          }
          present.objects = [ObjectShape(required: required)]
        } else if keyword == "dependencies", case .string(let text) = dependency {
          present.objects = [ObjectShape(required: [key, Key(text)])]
        } else {
          present.objects = [ObjectShape(required: [key])]
          let schema = child(site, "\(keyword)/\(SchemaDocument.escaped(name))", dependency)
          present = try intersection(present, try self.shape(schema), at: id)
        }
        shape = try intersection(shape, union(absent, present), at: id)
      }
    }
  }

  func restrictUnevaluated(
    _ site: SchemaSite, _ object: JSONObject, _ id: SchemaID, _ shape: inout Shape
  ) throws(GrammarError) {
    if let value = object["unevaluatedProperties"] {
      let schema = child(site, "unevaluatedProperties", value)
      for index in shape.objects.indices {
        let evaluated = shape.objects[index].evaluated
        shape.objects[index].isExplicit = true
        if !evaluated.isEverything {
          shape.objects[index].rules.append(
            KeyRule(keys: .others(names: evaluated.names, patterns: evaluated.patterns), value: schema))
          shape.objects[index].evaluated.isEverything = true
        }
      }
    }
    if let value = object["unevaluatedItems"] {
      let schema = child(site, "unevaluatedItems", value)
      for index in shape.arrays.indices where shape.arrays[index].evaluated >= 0 {
        var array = shape.arrays[index]
        guard array.contains.isEmpty || schema == SchemaTable.anything else {
          throw wrong(site, "unevaluatedItems", "together with contains it is not supported")
        }
        while array.prefix.count < array.evaluated { array.prefix.append(array.rest) }
        for place in array.evaluated..<array.prefix.count {
          array.prefix[place] = table.and([array.prefix[place], schema])
        }
        array.rest = table.and([array.rest, schema])
        array.evaluated = -1
        shape.arrays[index] = array
      }
    }
  }

  /// Without looking into values that are still being compiled: certainly no value is allowed.
  func isSurelyNothing(_ shape: Shape, depth: Int = 0) -> Bool {
    if shape.hasScalar {
      if shape.allowsNull || shape.allowsTrue || shape.allowsFalse { return false }
      if shape.strings.contains(where: { isInhabited($0) }) { return false }
      if shape.numbers.contains(where: { isInhabited($0) }) { return false }
    }
    for object in shape.objects where !isSurelyNothing(object, depth: depth) { return false }
    for array in shape.arrays {
      let required = (0..<array.minimum).prefix(8).map { $0 < array.prefix.count ? array.prefix[$0] : array.rest }
      if !required.contains(where: { isSurelyNothing($0, depth: depth) }) { return false }
    }
    return true
  }

  private func isSurelyNothing(_ object: ObjectShape, depth: Int) -> Bool {
    for name in object.required {
      let rules = object.rules.filter { contains($0.keys, name) }
      if isSurelyNothing(table.and(rules.map(\.value)), depth: depth) { return true }
    }
    return false
  }

  private func isSurelyNothing(_ id: SchemaID, depth: Int) -> Bool {
    if id == SchemaTable.nothing { return true }
    if id == SchemaTable.anything || depth > 3 { return false }
    if inhabited[id] == false { return true }
    if involvesProgress(id) { return false }
    guard let shape = try? shape(id) else { return false }
    return isSurelyNothing(shape, depth: depth + 1)
  }

  private func involvesProgress(_ id: SchemaID) -> Bool {
    if isInProgress(id) { return true }
    switch table.nodes[Int(id)] {
    case .and(let parts), .or(let parts): return parts.contains { involvesProgress($0) }
    case .not(let part): return involvesProgress(part)
    default: return false
    }
  }
}
