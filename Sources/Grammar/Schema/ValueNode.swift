/// Where a JSON value may begin: the first states of all its alternatives.
struct ValueNode {
  var allowsNull = false
  var allowsTrue = false
  var allowsFalse = false
  /// First state and length bounds (an index into the compiler's `stringSpecs`, -1: none).
  var strings: [(leaf: LeafID, spec: Int32)] = []
  var numbers: [LeafID] = []
  var objects: [Int32] = []
  var arrays: [Int32] = []
  /// The bytes with which a value may begin.
  var live = ByteSet()

  var hasScalar: Bool { allowsNull || allowsTrue || allowsFalse || !strings.isEmpty || !numbers.isEmpty }
}

/// Length bounds of a string, counted in code points.
struct StringSpec: Hashable {
  var minimum: Int32
  var maximum: Int32?
  /// Which lengths the pattern leaves possible from each of its states; -1: all.
  var lengths: Int32
}

/// An object as the automaton walks it.
struct ObjectRecord {
  /// Keys that can occur, in declared order.
  var names: [Key] = []
  var values: [SchemaID] = []
  var isRequired: [Bool] = []
  /// `"key"` without the opening quote, one trie for all.
  var trie = KeyTrie()
  /// Required and optional names at or after an index.
  var requiredFrom: [Int] = [0]
  var optionalFrom: [Int] = [0]
  var minimum = 0
  var maximum: Int?
  /// First state of a key that is not declared, dead when there is none.
  var extra: LeafID = 0
  /// The pattern of undeclared keys.
  var extraPattern: PatternID = PatternStore.nothing
  /// Undeclared keys follow rules, so there may be few of them.
  var extraIsRuled = false
  var extraRules: [KeyRule] = []
  var witnesses: [KeyRule] = []
  /// For each witness: the names that can be it, with the schema of the value.
  var witnessValues: [[Int: SchemaID]] = []
  /// For each witness: whether an undeclared key can be it.
  var extraCanWitness: [Bool] = []
}

/// An array as the automaton walks it.
struct ArrayRecord: Hashable {
  var prefix: [SchemaID] = []
  var rest: SchemaID = SchemaTable.nothing
  var minimum = 0
  var maximum: Int?
  var contains: [ArrayShape.Contains] = []
  var isUnique = false
}
