import Synchronization

/// Compiled schemas and token masks that grammars share.
///
/// Grammars of the same library compile a schema once and compute each mask inside its strings and numbers once, however
/// many of them use it: keep one for as long as tools, or a model, are in use.
///
/// ```swift
/// let library = GrammarLibrary()
/// let first = try Grammar(.choice([weather, time]), library: library)
/// let second = try Grammar(.choice([time, search]), library: library)  // `time` is not compiled again
/// ```
///
/// Grammars of one library take turns where they are used from several threads at once.
public final class GrammarLibrary: Sendable {
  private let stores = Mutex<[GrammarOptions: GrammarStores]>([:])

  /// An empty library.
  public init() {}

  func stores(_ options: GrammarOptions) -> GrammarStores {
    stores.withLock { stores in
      if let known = stores[options], !known.locked({ known.isSpent }) { return known }
      let new = GrammarStores(options)
      stores[options] = new
      return new
    }
  }
}
