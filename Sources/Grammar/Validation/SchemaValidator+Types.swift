import JSON

/// The keywords that look at one type.
extension SchemaValidator {
  func checkString(_ text: String, _ object: JSONObject, _ fail: (String) -> Failure) throws(Failure) {
    let count = text.unicodeScalars.count
    if let least = object["minLength"]?.integerValue, count < least { throw fail("is shorter than \(least)") }
    if let most = object["maxLength"]?.integerValue, count > most { throw fail("is longer than \(most)") }
    if let pattern = object["pattern"]?.stringValue, !patterns.matches(pattern, text) {
      throw fail("does not match the pattern \(pattern)")
    }
    if let format = object["format"]?.stringValue, !patterns.hasFormat(format, text) {
      throw fail("is no \(format)")
    }
  }

  func checkNumber(_ value: JSONValue, _ object: JSONObject, _ fail: (String) -> Failure) throws(Failure) {
    guard let number = DecimalNumber(value) else { return }
    func bound(_ keyword: String) -> DecimalNumber? { object[keyword].flatMap { DecimalNumber($0) } }
    if let least = bound("minimum") {
      let isExclusive = object["exclusiveMinimum"] == .boolean(true)
      if number < least || (isExclusive && number == least) { throw fail("is below the minimum \(least.spelling)") }
    }
    if let most = bound("maximum") {
      let isExclusive = object["exclusiveMaximum"] == .boolean(true)
      if number > most || (isExclusive && number == most) { throw fail("is above the maximum \(most.spelling)") }
    }
    if let least = bound("exclusiveMinimum"), number <= least { throw fail("is not above \(least.spelling)") }
    if let most = bound("exclusiveMaximum"), number >= most { throw fail("is not below \(most.spelling)") }
    for keyword in ["multipleOf", "divisibleBy"] {
      if let step = bound(keyword), !number.isMultiple(of: step) { throw fail("is no multiple of \(step.spelling)") }
    }
  }

  func checkArray(
    _ items: [JSONValue], _ object: JSONObject, _ place: Place, _ fail: (String) -> Failure
  ) throws(Failure) -> Evaluated {
    var evaluated = Evaluated()
    if let least = object["minItems"]?.integerValue, items.count < least { throw fail("has fewer than \(least) items") }
    if let most = object["maxItems"]?.integerValue, items.count > most { throw fail("has more than \(most) items") }
    if object["uniqueItems"] == .boolean(true) {
      for (index, item) in items.enumerated() where items[..<index].contains(where: { Self.equal($0, item) }) {
        throw fail("has item \(index) twice")
      }
    }
    let isTuple = object["items"]?.arrayValue != nil
    let prefix = object["prefixItems"]?.arrayValue ?? object["items"]?.arrayValue ?? []
    for (index, (item, schema)) in zip(items, prefix).enumerated() {
      _ = try check(item, schema, place.below(index))
      evaluated.items.insert(index)
    }
    if let rest = isTuple ? object["additionalItems"] : object["items"] {
      for index in items.indices.dropFirst(prefix.count) {
        _ = try check(items[index], rest, place.below(index))
        evaluated.items.insert(index)
      }
    }
    if let wanted = object["contains"] {
      let found = items.indices.filter { isValid(items[$0], wanted, place.below($0)) }
      let least = object["minContains"]?.integerValue ?? 1
      if found.count < least { throw fail("contains too few items that satisfy \"contains\"") }
      if let most = object["maxContains"]?.integerValue, found.count > most {
        throw fail("contains too many items that satisfy \"contains\"")
      }
      evaluated.items.formUnion(found)
    }
    return evaluated
  }

  func checkObject(
    _ members: JSONObject, _ value: JSONValue, _ object: JSONObject, _ place: Place, _ fail: (String) -> Failure
  ) throws(Failure) -> Evaluated {
    var evaluated = Evaluated()
    if let least = object["minProperties"]?.integerValue, members.count < least {
      throw fail("has fewer than \(least) properties")
    }
    if let most = object["maxProperties"]?.integerValue, members.count > most {
      throw fail("has more than \(most) properties")
    }
    for name in object["required"]?.arrayValue ?? [] {
      if let name = name.stringValue, members[name] == nil { throw fail("required property \"\(name)\" is missing") }
    }
    let properties = object["properties"]?.objectValue ?? JSONObject()
    for (key, schema) in properties.members where schema["required"] == .boolean(true) && members[key] == nil {
      throw fail("required property \"\(key)\" is missing")
    }
    let patternProperties = object["patternProperties"]?.objectValue ?? JSONObject()
    for (key, member) in members.members {
      var isDeclared = false
      if let schema = properties[key] {
        isDeclared = true
        _ = try check(member, schema, place.below(key))
      }
      for (pattern, schema) in patternProperties.members where patterns.matches(pattern, key) {
        isDeclared = true
        _ = try check(member, schema, place.below(key))
      }
      if !isDeclared, let schema = object["additionalProperties"] {
        if schema == .boolean(false) { throw fail("the property \"\(key)\" is not allowed") }
        _ = try check(member, schema, place.below(key))
        isDeclared = true
      }
      if isDeclared { evaluated.keys.insert(Key(key)) }
      if let schema = object["propertyNames"] { _ = try check(.string(key), schema, place.below(key)) }
    }
    for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
      for (key, dependency) in object[keyword]?.objectValue?.members ?? [] where members[key] != nil {
        let names = dependency.arrayValue?.compactMap(\.stringValue) ?? dependency.stringValue.map { [$0] }
        if let names, keyword != "dependentSchemas" {
          for name in names where members[name] == nil { throw fail("\"\(key)\" needs \"\(name)\" beside it") }
        } else {
          let inside = Place(instance: place.instance, base: place.base, depth: place.depth + 1)
          evaluated.formUnion(try check(value, dependency, inside))
        }
      }
    }
    return evaluated
  }
}
