import Synchronization

/// Hands out 0, 1, 2, … to whichever thread asks.
final class Counter: Sendable {
  private let next = Atomic<Int>(0)

  /// The next number, `nil` from `limit` on.
  func take(below limit: Int) -> Int? {
    let value = next.add(1, ordering: .relaxed).oldValue
    return value < limit ? value : nil
  }

  /// Takes a number and says whether it is the last below `limit`. What the takers of the others wrote before is then
  /// visible to the taker of the last.
  func takesLast(below limit: Int) -> Bool {
    next.add(1, ordering: .acquiringAndReleasing).newValue == limit
  }

  /// Starts again at 0. No other thread may use the counter meanwhile.
  func reset() { next.store(0, ordering: .relaxed) }
}
