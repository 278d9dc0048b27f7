import JSON

/// Reads the keywords of one schema object.
extension SchemaCompiler {
  func siteShape(_ site: SchemaSite) throws(GrammarError) -> Shape {
    guard case .object(let object) = site.value else {
      throw GrammarError(pointer: site.pointer, keyword: "", reason: "a schema is an object, true or false")
    }
    let id = table.site(site.value, pointer: site.pointer, document: site.document, base: site.base)
    let document = documents[site.document]
    if document.ignoresNeighboursOfReference, object["$ref"] != nil {
      return try shape(try reference(site, "$ref"))
    }
    var shape = try directShape(site, object)
    func restrict(_ other: Shape) throws(GrammarError) { shape = try intersection(shape, other, at: id) }

    for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] where object[keyword] != nil {
      try restrict(try self.shape(try reference(site, keyword)))
    }
    if let values = object["enum"] {
      guard case .array(let values) = values else { throw wrong(site, "enum", "must be an array") }
      try restrict(try enumerationShape(values, at: id))
    }
    if let value = object["const"] { try restrict(constantShape(value)) }
    if object["allOf"] != nil {
      for part in try children(site, "allOf") { try restrict(try self.shape(part)) }
    }
    if object["anyOf"] != nil {
      let parts = try children(site, "anyOf")
      guard !parts.isEmpty else { throw wrong(site, "anyOf", "must not be empty") }
      if document.tracksEvaluation {
        try restrict(try anyOfWithEvaluation(parts, site, id))
      } else {
        try restrict(try self.shape(table.or(parts)))
      }
    }
    if object["oneOf"] != nil { try restrict(try oneOf(try children(site, "oneOf"), site)) }
    if object["not"] != nil {
      try restrict(try self.shape(table.not(child(site, "not", object["not"] ?? .null))))
    }
    if document.knowsConditions, let condition = object["if"],
      object["then"] != nil || object["else"] != nil || document.tracksEvaluation
    {
      let test = child(site, "if", condition)
      let yes = object["then"].map { child(site, "then", $0) } ?? SchemaTable.anything
      let no = object["else"].map { child(site, "else", $0) } ?? SchemaTable.anything
      let both = try intersection(try self.shape(test), try self.shape(yes), at: id)
      let neither = try intersection(try self.shape(table.not(test)), try self.shape(no), at: id)
      try restrict(try checked(union(both, neither), at: id))
    }
    try restrictByDependencies(site, object, id, &shape)
    if document.tracksEvaluation { try restrictUnevaluated(site, object, id, &shape) }
    return try checked(shape, at: id)
  }

  /// `type` and the keywords that look at one type only.
  private func directShape(_ site: SchemaSite, _ object: JSONObject) throws(GrammarError) -> Shape {
    var shape = Shape.anything
    shape.strings = try stringShapes(site, object)
    shape.numbers = try numberShapes(site, object)
    shape.objects = [try objectShape(site, object)]
    shape.arrays = [try arrayShape(site, object)]
    guard let type = object["type"] else { return shape }
    var names: [String] = []
    switch type {
    case .string(let name): names = [name]
    case .array(let items):
      for item in items {
        if let name = item.stringValue {
          names.append(name)
        } else {
          throw wrong(site, "type", "must hold names of types")
        }
      }
    default: throw wrong(site, "type", "must be the name of a type or an array of names")
    }
    if object["nullable"] == .boolean(true) { names.append("null") }
    var result = Shape.nothing
    for name in names {
      switch name {
      case "null": result.allowsNull = true
      case "boolean":
        result.allowsTrue = true
        result.allowsFalse = true
      case "string": result.strings = shape.strings
      case "number": result.numbers = shape.numbers
      case "integer":
        if !names.contains("number") {
          result.numbers = shape.numbers.compactMap { $0.intersection(NumberConstraint(isInteger: true)) }
        }
      case "object": result.objects = shape.objects
      case "array": result.arrays = shape.arrays
      case "any": return shape
      default: throw wrong(site, "type", "unknown type \"\(name)\"")
      }
    }
    return result
  }

  private func stringShapes(_ site: SchemaSite, _ object: JSONObject) throws(GrammarError) -> [StringShape] {
    var string = StringShape()
    string.minimum = try count(site, object, "minLength") ?? 0
    string.maximum = try count(site, object, "maxLength")
    if let value = object["pattern"] {
      guard let text = value.stringValue else { throw wrong(site, "pattern", "must be a string") }
      string.pattern = try pattern(text, site, "pattern")
    }
    if let value = object["format"] {
      guard let name = value.stringValue else { throw wrong(site, "format", "must be a string") }
      if let format = try format(name, site) { string.pattern = patterns.intersection([string.pattern, format]) }
    }
    if let maximum = string.maximum, maximum < string.minimum {
      throw wrong(site, "minLength", "is larger than maxLength (\(maximum)): no string has such a length")
    }
    return string.pattern == PatternStore.nothing ? [] : [string]
  }

  private func numberShapes(_ site: SchemaSite, _ object: JSONObject) throws(GrammarError) -> [NumberConstraint] {
    var number: NumberConstraint? = NumberConstraint()
    func bound(_ keyword: String) throws(GrammarError) -> DecimalNumber? {
      guard let value = object[keyword] else { return nil }
      guard let decimal = DecimalNumber(value) else { throw wrong(site, keyword, "must be a number") }
      return decimal
    }
    func add(_ constraint: NumberConstraint) { number = number?.intersection(constraint) }
    var excludesLower = false
    var excludesUpper = false
    // Draft 4 writes exclusive bounds as booleans beside the bound.
    if case .boolean(let flag)? = object["exclusiveMinimum"] {
      excludesLower = flag
    } else if let value = try bound("exclusiveMinimum") {
      add(NumberConstraint(lower: .init(value: value, isExclusive: true)))
    }
    if case .boolean(let flag)? = object["exclusiveMaximum"] {
      excludesUpper = flag
    } else if let value = try bound("exclusiveMaximum") {
      add(NumberConstraint(upper: .init(value: value, isExclusive: true)))
    }
    if let value = try bound("minimum") {
      add(NumberConstraint(lower: .init(value: value, isExclusive: excludesLower)))
    }
    if let value = try bound("maximum") {
      add(NumberConstraint(upper: .init(value: value, isExclusive: excludesUpper)))
    }
    for keyword in ["multipleOf", "divisibleBy"] {
      guard let value = try bound(keyword) else { continue }
      guard !value.isNegative, !value.isZero else { throw wrong(site, keyword, "must be above 0") }
      add(NumberConstraint(multiples: [value]))
    }
    if number == nil, object["minimum"] != nil, object["maximum"] != nil {
      throw wrong(site, "minimum", "is larger than maximum: no number is left")
    }
    return number.map { [$0] } ?? []
  }

  private func enumerationShape(_ values: [JSONValue], at id: SchemaID) throws(GrammarError) -> Shape {
    var texts: [String] = []
    var shape = Shape.nothing
    for value in values {
      if case .string(let text) = value {
        texts.append(text)
      } else {
        shape = try checked(union(shape, constantShape(value)), at: id)
      }
    }
    if !texts.isEmpty { shape.strings = [StringShape(pattern: patterns.literals(texts))] }
    return shape
  }

  func pattern(_ text: String, _ site: SchemaSite, _ keyword: String) throws(GrammarError) -> PatternID {
    if let known = patternCache[Key(text)] { return known }
    do {
      let result = try patterns.pattern(try PatternParser.parse(text), isWhole: false)
      patternCache[Key(text)] = result
      return result
    } catch {
      if options.isLenient { return PatternStore.anything }
      throw wrong(site, keyword, "\(error.reason): \(text)")
    }
  }

  // MARK: Places

  func wrong(_ site: SchemaSite, _ keyword: String, _ reason: String) -> GrammarError {
    GrammarError(pointer: site.pointer, keyword: keyword, reason: reason)
  }

  func child(_ site: SchemaSite, _ path: String, _ value: JSONValue) -> SchemaID {
    var base = site.base
    if let id = value["$id"]?.stringValue, id.utf8.first != 0x23 {
      base = SchemaDocument.withoutFragment(SchemaDocument.resolve(id, against: base))
    }
    return table.site(value, pointer: "\(site.pointer)/\(path)", document: site.document, base: base)
  }

  func children(_ site: SchemaSite, _ keyword: String) throws(GrammarError) -> [SchemaID] {
    guard case .array(let items)? = site.value[keyword] else { throw wrong(site, keyword, "must be an array") }
    return items.enumerated().map { child(site, "\(keyword)/\($0)", $1) }
  }

  func count(_ site: SchemaSite, _ object: JSONObject, _ keyword: String) throws(GrammarError) -> Int? {
    guard let value = object[keyword] else { return nil }
    guard let number = value.integerValue, number >= 0 else {
      throw wrong(site, keyword, "must be an integer that is not negative")
    }
    // What lies beyond is refused as a minimum and no different as a maximum, and stays clear of overflow.
    return min(number, Int(Int32.max) - 1)
  }

  private func reference(_ site: SchemaSite, _ keyword: String) throws(GrammarError) -> SchemaID {
    guard let text = site.value[keyword]?.stringValue else { throw wrong(site, keyword, "must be a string") }
    let document = documents[site.document]
    if keyword == "$dynamicRef" {
      let name = text.split(separator: "#").last.map(String.init) ?? ""
      guard document.dynamicAnchors[name, default: 0] <= 1 else {
        throw wrong(site, keyword, "a dynamic reference with several possible targets is not supported")
      }
    }
    guard let target = document.target(of: text, base: site.base) else {
      throw wrong(site, keyword, "\"\(text)\" names nothing in this document, and other documents are never fetched")
    }
    return table.site(target.value, pointer: target.pointer, document: site.document, base: target.base)
  }
}
