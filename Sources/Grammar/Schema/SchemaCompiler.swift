import JSON

/// Turns schemas into shapes, and shapes into what the automaton walks.
final class SchemaCompiler {
  let patterns: PatternStore
  let leaves: LeafStore
  let options: GrammarOptions
  var table = SchemaTable()
  private(set) var documents: [SchemaDocument] = []
  /// The root of each document, by its text.
  private var roots: [Key: SchemaID] = [:]
  /// Schemas of which everything that can be reached has been compiled.
  var explored: Set<SchemaID> = []

  private var shapes: [SchemaID: Shape] = [:]
  private var shapesInProgress: Set<SchemaID> = []
  var inhabited: [SchemaID: Bool] = [:]
  var inhabitedInProgress: Set<SchemaID> = []
  var inhabitedIsTainted = false

  var nodes: [SchemaID: ValueNode] = [:]
  var canonicalNodes: [SchemaID: ValueNode] = [:]
  var objects: [ObjectRecord] = []
  var arrays: [ArrayRecord] = []
  var objectIDs: [ObjectShape: Int32] = [:]
  var arrayIDs: [ArrayShape: Int32] = [:]
  var objectHopes: [ObjectShape: Bool] = [:]
  /// Of arrays with `contains`: which places lead to an end.
  var finishable: [ArrayRecord: [ArrayPlace: Bool]] = [:]
  /// Bytes of the shortest text of each schema that has been explored.
  var leastSizes: [SchemaID: Int] = [:]
  var lengths: [LengthTable] = []
  var lengthTables: [StringShape: LengthTable?] = [:]
  var stringSpecs: [StringSpec] = []
  var keyBounds: [PatternID: (count: Int?, isOpen: Bool)] = [:]
  var patternCache: [Key: PatternID] = [:]

  /// Combinations (`$ref`, `allOf`, `not`, …) within each other: a chain of references has any length, a stack hasn't.
  static let mostNested = 100

  /// More alternatives than this in one schema are refused.
  let alternativeBudget = 400

  init(patterns: PatternStore, leaves: LeafStore, options: GrammarOptions) {
    self.patterns = patterns
    self.leaves = leaves
    self.options = options
  }

  /// The schema that a document is.
  func schema(_ root: JSONValue) -> SchemaID {
    let text = Key(root.compact)
    if let known = roots[text] { return known }
    documents.append(SchemaDocument(root))
    let document = documents.count - 1
    let id = table.site(root, pointer: "#", document: document, base: documents[document].base)
    roots[text] = id
    return id
  }

  /// Forgets what was under way when a schema turned out to be impossible.
  func recover() {
    shapesInProgress = []
    inhabitedInProgress = []
    inhabitedIsTainted = false
  }

  /// The values that a schema allows.
  ///
  /// - Throws: what can't be honoured in it.
  func shape(_ id: SchemaID) throws(GrammarError) -> Shape {
    if let known = shapes[id] { return known }
    guard shapesInProgress.insert(id).inserted else {
      throw GrammarError(pointer: place(of: id), keyword: "$ref", reason: "the schema refers to itself without end")
    }
    defer { shapesInProgress.remove(id) }
    guard shapesInProgress.count <= Self.mostNested else {
      throw GrammarError(
        pointer: place(of: id), keyword: "",
        reason: "references and combinations are nested too deeply (more than \(Self.mostNested))")
    }
    let result: Shape
    switch table.nodes[Int(id)] {
    case .anything: result = .anything
    case .nothing: result = .nothing
    case .site(let index): result = try siteShape(table.sites[Int(index)])
    case .constant(let value): result = constantShape(value)
    case .and(let parts):
      var shape = Shape.anything
      for part in parts { shape = try intersection(shape, try self.shape(part), at: id) }
      result = shape
    case .or(let parts):
      result = try union(parts, at: id)
    case .not(let part): result = try complement(try shape(part), at: id)
    }
    shapes[id] = result
    return result
  }

  func isInProgress(_ id: SchemaID) -> Bool { shapesInProgress.contains(id) }

  func checked(_ shape: Shape, at id: SchemaID) throws(GrammarError) -> Shape {
    guard shape.objects.count <= alternativeBudget, shape.arrays.count <= alternativeBudget,
      shape.numbers.count <= alternativeBudget, shape.strings.count <= alternativeBudget
    else {
      throw GrammarError(
        pointer: place(of: id), keyword: "", reason: "too many alternatives (more than \(alternativeBudget))")
    }
    return shape
  }

  /// Where `id` is written, as near as can be said.
  func place(of id: SchemaID) -> String {
    switch table.nodes[Int(id)] {
    case .site(let index): return table.sites[Int(index)].pointer
    case .and(let parts), .or(let parts): return parts.first.map { place(of: $0) } ?? "#"
    case .not(let part): return place(of: part)
    case .anything, .nothing, .constant: return "#"
    }
  }

  /// One value as a shape.
  func constantShape(_ value: JSONValue) -> Shape {
    var shape = Shape.nothing
    switch value {
    case .null: shape.allowsNull = true
    case .boolean(let isTrue):
      shape.allowsTrue = isTrue
      shape.allowsFalse = !isTrue
    case .integer, .double:
      if let number = DecimalNumber(value) { shape.numbers = [.point(number)] }
    case .string(let text): shape.strings = [StringShape(pattern: patterns.literals([text]))]
    case .array(let items):
      shape.arrays = [
        ArrayShape(
          prefix: items.map { table.constant($0) }, rest: SchemaTable.nothing, minimum: items.count,
          maximum: items.count)
      ]
    case .object(let object):
      let names = object.keys.map { Key($0) }
      var rules = object.members.map { KeyRule(keys: .name(Key($0.key)), value: table.constant($0.value)) }
      rules.append(KeyRule(keys: .others(names: names, patterns: []), value: SchemaTable.nothing))
      shape.objects = [ObjectShape(rules: rules, order: names, required: names, isExplicit: true)]
    }
    return shape
  }
}
