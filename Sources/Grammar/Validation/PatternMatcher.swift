import Synchronization

/// Patterns and formats by name, for a validator.
final class PatternMatcher: Sendable {
  /// What has been compiled; a class because the store is one, and nothing of it leaves the lock.
  private final class Known {
    let store = PatternStore()
    var ids: [Key: PatternID] = [:]
  }

  private let known = Mutex<Known>(Known())

  /// Whether `pattern` matches somewhere in `text`; patterns that can't be read match everything.
  func matches(_ pattern: String, _ text: String) -> Bool { matches(pattern, text, isWhole: false) }

  /// Whether `text` has the format; unknown formats are no restriction.
  func hasFormat(_ name: String, _ text: String) -> Bool {
    guard let expression = StringFormats.expression(name) else { return true }
    if name == "hostname", text.unicodeScalars.count > 253 { return false }
    return matches(expression, text, isWhole: true)
  }

  private func matches(_ pattern: String, _ text: String, isWhole: Bool) -> Bool {
    known.withLock { known in
      let key = Key((isWhole ? "=" : "~") + pattern)
      if let id = known.ids[key] { return known.store.matches(id, text) }
      guard let tree = try? PatternParser.parse(pattern), let id = try? known.store.pattern(tree, isWhole: isWhole)
      else { return true }
      known.ids[key] = id
      return known.store.matches(id, text)
    }
  }
}
