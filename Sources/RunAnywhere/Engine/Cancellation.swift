import Synchronization

/// A flag that says that work is no longer wanted; set from anywhere, read by the working thread.
package final class Cancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  /// Whether the work is to end.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  package func cancel() { flag.store(true, ordering: .relaxed) }
}
