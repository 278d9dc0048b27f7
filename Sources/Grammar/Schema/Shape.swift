/// Which JSON values a schema allows, sorted by type: for each type a union, of which each member is a conjunction.
///
/// Shapes are closed under intersection, union and complement; values inside objects and arrays stay unevaluated
/// (`SchemaID`), so recursive schemas are no problem.
struct Shape: Hashable {
  var allowsNull = false
  var allowsTrue = false
  var allowsFalse = false
  var strings: [StringShape] = []
  var numbers: [NumberConstraint] = []
  var objects: [ObjectShape] = []
  var arrays: [ArrayShape] = []

  static let nothing = Shape()

  static let anything = Shape(
    allowsNull: true, allowsTrue: true, allowsFalse: true, strings: [StringShape()], numbers: [NumberConstraint()],
    objects: [ObjectShape()], arrays: [ArrayShape()])

  var hasScalar: Bool { allowsNull || allowsTrue || allowsFalse || !strings.isEmpty || !numbers.isEmpty }
}

/// Strings whose content a pattern describes, between two lengths in code points.
struct StringShape: Hashable {
  var pattern: PatternID = PatternStore.anything
  var minimum = 0
  var maximum: Int?

  var isFree: Bool { pattern == PatternStore.anything && minimum == 0 && maximum == nil }
}

/// A set of object keys.
enum KeySet: Hashable {
  case name(Key)
  case pattern(PatternID)
  /// All but these names and what these patterns match.
  case others(names: [Key], patterns: [PatternID])
}

/// Every member whose key is in the set has a value that satisfies the schema.
struct KeyRule: Hashable {
  var keys: KeySet
  var value: SchemaID
}

/// Objects that follow all rules, have all required keys, and for each witness at least one such member.
struct ObjectShape: Hashable {
  var rules: [KeyRule] = []
  /// Declared names in order.
  var order: [Key] = []
  var required: [Key] = []
  var minimum = 0
  var maximum: Int?
  var witnesses: [KeyRule] = []
  /// A schema was given for keys that are not declared.
  var isExplicit = false
  var evaluated = EvaluatedKeys()
}

/// The keys that `unevaluatedProperties` doesn't look at.
struct EvaluatedKeys: Hashable {
  var names: [Key] = []
  var patterns: [PatternID] = []
  var isEverything = false

  mutating func formUnion(_ other: EvaluatedKeys) {
    for name in other.names where !names.contains(name) { names.append(name) }
    for pattern in other.patterns where !patterns.contains(pattern) { patterns.append(pattern) }
    isEverything = isEverything || other.isEverything
  }
}

/// Arrays whose items satisfy the prefix and the rest, with between `minimum` and `maximum` items.
struct ArrayShape: Hashable {
  /// Between `minimum` and `maximum` items from index `from` on satisfy the schema.
  struct Contains: Hashable {
    var value: SchemaID
    var minimum: Int
    var maximum: Int?
    var from: Int
  }

  var prefix: [SchemaID] = []
  var rest: SchemaID = SchemaTable.anything
  var minimum = 0
  var maximum: Int?
  var contains: [Contains] = []
  var isUnique = false
  /// Items before this index are evaluated; -1: all.
  var evaluated = 0
}
