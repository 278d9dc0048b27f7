import JSON

/// The keywords of objects and arrays.
extension SchemaCompiler {
  func objectShape(_ site: SchemaSite, _ object: JSONObject) throws(GrammarError) -> ObjectShape {
    var shape = ObjectShape()
    shape.minimum = try count(site, object, "minProperties") ?? 0
    shape.maximum = try count(site, object, "maxProperties")
    if let maximum = shape.maximum, maximum < shape.minimum {
      throw wrong(site, "minProperties", "is larger than maxProperties (\(maximum))")
    }
    var evaluated = EvaluatedKeys()
    if let value = object["properties"] {
      guard case .object(let properties) = value else { throw wrong(site, "properties", "must be an object") }
      try checkNames(properties.keys, site, "properties")
      for (name, schema) in properties.members {
        let key = Key(name)
        shape.order.append(key)
        let id = child(site, "properties/\(SchemaDocument.escaped(name))", schema)
        shape.rules.append(KeyRule(keys: .name(key), value: id))
        // Draft 3 marks a property as required inside its schema.
        if schema["required"] == .boolean(true) { shape.required.append(key) }
      }
      evaluated.names = shape.order
    }
    if let value = object["patternProperties"] {
      guard case .object(let properties) = value else { throw wrong(site, "patternProperties", "must be an object") }
      for (text, schema) in properties.members {
        let pattern = try pattern(text, site, "patternProperties")
        let id = child(site, "patternProperties/\(SchemaDocument.escaped(text))", schema)
        shape.rules.append(KeyRule(keys: .pattern(pattern), value: id))
        evaluated.patterns.append(pattern)
      }
    }
    if let value = object["additionalProperties"] {
      let id = child(site, "additionalProperties", value)
      shape.isExplicit = true
      if id != SchemaTable.anything {
        shape.rules.append(
          KeyRule(keys: .others(names: evaluated.names, patterns: evaluated.patterns), value: id))
      }
      evaluated.isEverything = true
    }
    if let value = object["propertyNames"] {
      let names = try self.shape(child(site, "propertyNames", value)).strings
      if names != [StringShape()] {
        let allowed = patterns.union(names.map { language($0) })
        shape.rules.append(KeyRule(keys: .pattern(patterns.complement(allowed)), value: SchemaTable.nothing))
      }
    }
    switch object["required"] {
    case nil, .boolean?: break
    case .array(let names)?:
      try checkNames(names.map { $0.stringValue ?? "" }, site, "required")
      for item in names {
        guard let text = item.stringValue else { throw wrong(site, "required", "must hold names") }
        if !shape.required.contains(Key(text)) { shape.required.append(Key(text)) }
      }
    default: throw wrong(site, "required", "must be an array of names")
    }
    if documents[site.document].tracksEvaluation { shape.evaluated = evaluated }
    return shape
  }

  /// Names are compared with each other in several places, and become automata.
  private func checkNames(_ names: some Collection<String>, _ site: SchemaSite, _ keyword: String) throws(GrammarError)
  {
    guard names.count <= Self.mostNames else {
      throw wrong(site, keyword, "more than \(Self.mostNames) names are not supported")
    }
    guard names.allSatisfy({ $0.utf8.count <= Self.longestRequired }) else {
      throw wrong(site, keyword, "a name of more than \(Self.longestRequired) bytes is not supported")
    }
  }

  /// A string shape as one pattern: its lengths become a repetition.
  func language(_ string: StringShape) -> PatternID {
    if string.minimum == 0, string.maximum == nil { return string.pattern }
    let character = patterns.set(.anyCodePoint)
    let length = patterns.sequence(
      patterns.repetition(
        character, min: Int32(clamping: string.minimum), max: string.maximum.map { Int32(clamping: $0) } ?? -1),
      patterns.set(CodePointSet(single: CodePointSet.endMarker)))
    return patterns.intersection([string.pattern, length])
  }

  func arrayShape(_ site: SchemaSite, _ object: JSONObject) throws(GrammarError) -> ArrayShape {
    var shape = ArrayShape()
    shape.minimum = try count(site, object, "minItems") ?? 0
    shape.maximum = try count(site, object, "maxItems")
    if let maximum = shape.maximum, maximum < shape.minimum {
      throw wrong(site, "minItems", "is larger than maxItems (\(maximum)): no array has so many items")
    }
    if object["uniqueItems"] == .boolean(true) { shape.isUnique = true }
    if object["prefixItems"] != nil { shape.prefix = try children(site, "prefixItems") }
    switch object["items"] {
    case nil: break
    case .array?:
      // Up to draft 2019-09 an array of schemas is what `prefixItems` is now.
      shape.prefix = try children(site, "items")
      if let value = object["additionalItems"] {
        shape.rest = child(site, "additionalItems", value)
        shape.evaluated = -1
      }
    case let value?:
      shape.rest = child(site, "items", value)
      shape.evaluated = -1
    }
    guard shape.prefix.count <= Self.mostNames else {
      throw wrong(site, "prefixItems", "more than \(Self.mostNames) schemas are not supported")
    }
    if shape.evaluated == 0 { shape.evaluated = shape.prefix.count }
    if let value = object["contains"] {
      let minimum = try count(site, object, "minContains") ?? 1
      let maximum = try count(site, object, "maxContains")
      if let maximum, maximum < minimum {
        shape.maximum = 0
        shape.minimum = 1
      } else if minimum > 0 || maximum != nil {
        shape.contains.append(
          .init(value: child(site, "contains", value), minimum: minimum, maximum: maximum, from: 0))
      }
    }
    return shape
  }
}
