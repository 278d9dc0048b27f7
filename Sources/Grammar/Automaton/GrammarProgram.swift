import JSON
import Synchronization

/// An expression as the automaton walks it.
enum Production {
  case literal(Int32)
  case json(SchemaID)
  case leaf(LeafID)
  case sequence([Int32])
  case choice([Int32])
  case repeated(Int32, min: Int32, max: Int32, separator: Int32)
  case control(String, literal: Int32)
}

/// A compiled grammar: productions over the automata of its stores. Immutable once it is made.
final class GrammarProgram: Sendable {
  let stores: GrammarStores
  let productions: [Production]
  let literals: [[UInt8]]
  let root: Int32

  var options: GrammarOptions { stores.options }

  static let trueLiteral: Int32 = 0
  static let falseLiteral: Int32 = 1
  static let nullLiteral: Int32 = 2

  init(_ expression: GrammarExpression, stores: GrammarStores) throws(GrammarError) {
    self.stores = stores
    var builder = ProgramBuilder(stores)
    root = try stores.locked { () throws(GrammarError) in
      do throws(GrammarError) {
        return try stores.patterns.budgeted { () throws(GrammarError) in
          try builder.add(expression, "$", depth: 0)
        }
      } catch {
        stores.schemas.recover()
        throw error
      }
    }
    productions = builder.productions
    literals = builder.literals
  }
}

/// Turns an expression into productions.
private struct ProgramBuilder {
  private let patterns: PatternStore
  private let leaves: LeafStore
  private let schemas: SchemaCompiler
  private(set) var productions: [Production] = []
  private(set) var literals = [Array("true".utf8), Array("false".utf8), Array("null".utf8)]
  private var literalIDs: [[UInt8]: Int32] = [:]

  init(_ stores: GrammarStores) {
    patterns = stores.patterns
    leaves = stores.leaves
    schemas = stores.schemas
    for (index, literal) in literals.enumerated() { literalIDs[literal] = Int32(index) }
  }

  private mutating func literal(_ bytes: [UInt8]) -> Int32 {
    if let known = literalIDs[bytes] { return known }
    let id = Int32(truncatingIfNeeded: literals.count)
    literals.append(bytes)
    literalIDs[bytes] = id
    return id
  }

  private mutating func add(_ production: Production) -> Int32 {
    productions.append(production)
    return Int32(truncatingIfNeeded: productions.count - 1)
  }

  mutating func add(_ expression: GrammarExpression, _ place: String, depth: Int) throws(GrammarError) -> Int32 {
    guard depth < 200 else { throw GrammarError(pointer: place, keyword: "", reason: "nested too deeply") }
    switch expression {
    case .literal(let text): return add(.literal(literal(Array(text.utf8))))
    case .json(let schema):
      let id = schemas.schema(schema)
      try schemas.explore(id)
      return add(.json(id))
    case .regex(let text):
      do {
        let pattern = try patterns.pattern(try PatternParser.parse(text), isWhole: true)
        guard patterns.isAlive(pattern), !patterns.isExhausted else {
          throw GrammarError(pointer: place, keyword: "regex", reason: "no text matches, or too many states are needed")
        }
        return add(.leaf(leaves.string(pattern, .bare)))
      } catch let error as PatternError {
        throw GrammarError(pointer: place, keyword: "regex", reason: error.reason)
      } catch {
        throw GrammarError(pointer: place, keyword: "regex", reason: "no text matches, or too many states are needed")
      }
    case .sequence(let parts):
      var ids: [Int32] = []
      for (index, part) in parts.enumerated() { ids.append(try add(part, "\(place)[\(index)]", depth: depth + 1)) }
      return ids.count == 1 ? ids[0] : add(.sequence(ids))
    case .choice(let parts):
      guard !parts.isEmpty else { throw GrammarError(pointer: place, keyword: "choice", reason: "has no alternative") }
      var ids: [Int32] = []
      for (index, part) in parts.enumerated() { ids.append(try add(part, "\(place)[\(index)]", depth: depth + 1)) }
      return ids.count == 1 ? ids[0] : add(.choice(ids))
    case .repeated(let part, let min, let max, let separator):
      guard min >= 0, max.map({ $0 >= min }) ?? true else {
        throw GrammarError(pointer: place, keyword: "repeated", reason: "min is larger than max")
      }
      let id = try add(part, "\(place)[]", depth: depth + 1)
      return add(
        .repeated(
          id, min: Int32(clamping: min), max: max.map { Int32(clamping: $0) } ?? -1,
          separator: separator.isEmpty ? -1 : literal(Array(separator.utf8))))
    case .text(let markers): return add(.leaf(leaves.text(markers)))
    case .control(let spelling): return add(.control(spelling, literal: literal(Array(spelling.utf8))))
    }
  }
}
