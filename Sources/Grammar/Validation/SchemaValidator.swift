public import JSON

/// Checks finished values against a schema, keyword by keyword, without the automaton: for output that was not
/// constrained, and as the automaton's opponent in tests.
///
/// ```swift
/// let validator = SchemaValidator(["type": "object", "required": ["city"]])
/// validator.firstError(["days": 3])   // #: required property "city" is missing
/// ```
///
/// Formats are asserted; keywords that are unknown are ignored, as JSON Schema says.
public struct SchemaValidator: Sendable {
  private let document: SchemaDocument
  let patterns = PatternMatcher()

  /// A validator for `schema` (drafts 4 to 2020-12).
  public init(_ schema: JSONValue) {
    document = SchemaDocument(schema)
  }

  /// What is wrong with `value`: where in it, and what; `nil` when it is valid.
  public func firstError(_ value: JSONValue) -> String? {
    do {
      _ = try check(value, document.root, Place(instance: "#", base: document.base, depth: 0))
      return nil
    } catch {
      return error.description
    }
  }

  /// Whether `value` satisfies the schema.
  public func isValid(_ value: JSONValue) -> Bool { firstError(value) == nil }

  struct Place {
    var instance: String
    var base: String
    var depth: Int

    func below(_ step: some CustomStringConvertible) -> Place {
      Place(instance: "\(instance)/\(step)", base: base, depth: depth + 1)
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The keys and items that some keyword has looked at.
  struct Evaluated {
    var keys: Set<Key> = []
    var items: Set<Int> = []

    mutating func formUnion(_ other: Evaluated) {
      keys.formUnion(other.keys)
      items.formUnion(other.items)
    }
  }

  func isValid(_ value: JSONValue, _ schema: JSONValue, _ place: Place) -> Bool {
    (try? check(value, schema, place)) != nil
  }

  /// - Returns: what was evaluated in `value` itself.
  func check(_ value: JSONValue, _ schema: JSONValue, _ place: Place) throws(Failure) -> Evaluated {
    func fail(_ reason: String) -> Failure { Failure(description: "\(place.instance): \(reason)") }
    guard place.depth < 400 else { throw fail("the schema refers to itself without end") }
    if case .boolean(let isTrue) = schema {
      if isTrue { return Evaluated() }
      throw fail("nothing is allowed here")
    }
    guard case .object(let object) = schema else { throw fail("the schema is not an object") }
    var place = place
    if let id = object["$id"]?.stringValue, id.utf8.first != 0x23 {
      place.base = SchemaDocument.withoutFragment(SchemaDocument.resolve(id, against: place.base))
    }
    var evaluated = Evaluated()
    for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
      guard let reference = object[keyword]?.stringValue else { continue }
      guard let target = document.target(of: reference, base: place.base) else {
        throw fail("the reference \"\(reference)\" names nothing")
      }
      let there = Place(instance: place.instance, base: target.base, depth: place.depth + 1)
      evaluated.formUnion(try check(value, target.value, there))
      if document.ignoresNeighboursOfReference { return evaluated }
    }
    try checkType(value, object, fail)
    switch value {
    case .string(let text): try checkString(text, object, fail)
    case .integer, .double: try checkNumber(value, object, fail)
    case .array(let items): evaluated.formUnion(try checkArray(items, object, place, fail))
    case .object(let members): evaluated.formUnion(try checkObject(members, value, object, place, fail))
    case .null, .boolean: break
    }
    evaluated.formUnion(try checkCombinations(value, object, place, fail))
    try checkUnevaluated(value, object, place, evaluated)
    if case .object(let members) = value, object["unevaluatedProperties"] != nil {
      evaluated.keys.formUnion(members.keys.map { Key($0) })
    }
    if case .array(let items) = value, object["unevaluatedItems"] != nil { evaluated.items.formUnion(items.indices) }
    return evaluated
  }

  private func checkType(_ value: JSONValue, _ object: JSONObject, _ fail: (String) -> Failure) throws(Failure) {
    if let type = object["type"] {
      var names = type.arrayValue?.compactMap(\.stringValue) ?? [type.stringValue ?? ""]
      if object["nullable"] == .boolean(true) { names.append("null") }
      guard names.contains(where: { Self.has(value, type: $0) }) else {
        throw fail("is not of type \(names.joined(separator: " or "))")
      }
    }
    if let constant = object["const"], !Self.equal(constant, value) { throw fail("is not \(constant.compact)") }
    if let values = object["enum"]?.arrayValue, !values.contains(where: { Self.equal($0, value) }) {
      throw fail("is none of \(JSONValue.array(values).compact)")
    }
  }

  private func checkCombinations(
    _ value: JSONValue, _ object: JSONObject, _ place: Place, _ fail: (String) -> Failure
  ) throws(Failure) -> Evaluated {
    var evaluated = Evaluated()
    let inside = Place(instance: place.instance, base: place.base, depth: place.depth + 1)
    for part in object["allOf"]?.arrayValue ?? [] { evaluated.formUnion(try check(value, part, inside)) }
    for keyword in ["anyOf", "oneOf"] {
      guard let parts = object[keyword]?.arrayValue else { continue }
      let results = parts.compactMap { try? check(value, $0, inside) }
      if results.isEmpty { throw fail("satisfies no alternative of \(keyword)") }
      if keyword == "oneOf", results.count > 1 { throw fail("satisfies more than one alternative of oneOf") }
      for result in results { evaluated.formUnion(result) }
    }
    if let part = object["not"], isValid(value, part, inside) { throw fail("satisfies what \"not\" forbids") }
    if document.knowsConditions, let condition = object["if"] {
      if let result = try? check(value, condition, inside) {
        evaluated.formUnion(result)
        if let part = object["then"] { evaluated.formUnion(try check(value, part, inside)) }
      } else if let part = object["else"] {
        evaluated.formUnion(try check(value, part, inside))
      }
    }
    return evaluated
  }

  private func checkUnevaluated(
    _ value: JSONValue, _ object: JSONObject, _ place: Place, _ evaluated: Evaluated
  ) throws(Failure) {
    if let part = object["unevaluatedProperties"], case .object(let members) = value {
      for (key, member) in members.members where !evaluated.keys.contains(Key(key)) {
        _ = try check(member, part, place.below(key))
      }
    }
    if let part = object["unevaluatedItems"], case .array(let items) = value {
      for (index, item) in items.enumerated() where !evaluated.items.contains(index) {
        _ = try check(item, part, place.below(index))
      }
    }
  }

  private static func has(_ value: JSONValue, type: String) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .boolean), ("string", .string), ("array", .array), ("object", .object): true
    case ("number", .integer), ("number", .double), ("integer", .integer): true
    case ("integer", .double): DecimalNumber(value)?.isInteger ?? false
    case ("any", _): true
    default: false
    }
  }

  /// JSON Schema's equality: numbers by value, objects in any order.
  static func equal(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.integer, .double), (.double, .integer), (.double, .double):
      return DecimalNumber(left) == DecimalNumber(right)
    case (.array(let one), .array(let two)):
      return one.count == two.count && zip(one, two).allSatisfy { equal($0, $1) }
    case (.object(let one), .object(let two)):
      return one.count == two.count
        && one.members.allSatisfy { member in two[member.key].map { equal(member.value, $0) } ?? false }
    default: return left == right
    }
  }
}
