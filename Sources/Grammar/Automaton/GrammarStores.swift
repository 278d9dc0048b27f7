import Synchronization

/// What grammars with the same options share: schemas, patterns and leaves that have been compiled, and their masks.
///
/// Automata are built while they are used, so everything in here is guarded by `lock`.
final class GrammarStores: @unchecked Sendable {
  // Sendable because every access, from compilation to the last matcher, happens inside `locked`.
  let options: GrammarOptions
  let patterns: PatternStore
  let leaves: LeafStore
  let schemas: SchemaCompiler
  private var maskCaches: [ObjectIdentifier: LeafMaskCache] = [:]
  private let lock = Mutex<Void>(())

  init(_ options: GrammarOptions) {
    self.options = options
    patterns = PatternStore()
    leaves = LeafStore(patterns: patterns)
    schemas = SchemaCompiler(patterns: patterns, leaves: leaves, options: options)
  }

  func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try lock.withLock { (_) throws(Failure) in try body() }
  }

  /// The masks of the leaves over `vocabulary`; inside the lock.
  func maskCache(_ vocabulary: Vocabulary) -> LeafMaskCache {
    let key = ObjectIdentifier(vocabulary)
    if let known = maskCaches[key] { return known }
    let cache = LeafMaskCache(vocabulary: vocabulary, leaves: leaves)
    maskCaches[key] = cache
    return cache
  }

  /// Whether further grammars should better begin anew: a question ran out of budget, so later answers could be too strict,
  /// or much has been gathered; inside the lock.
  var isSpent: Bool {
    patterns.isDamaged || leaves.table.count > 8_000_000
      || maskCaches.values.reduce(0) { $0 + $1.byteCount } > 64 << 20
  }
}
