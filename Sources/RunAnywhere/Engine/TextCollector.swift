import Synchronization

/// Collects the chunks of an answer.
final class TextCollector: Sendable {
  private let state = Mutex("")

  func append(_ chunk: String) { state.withLock { $0 += chunk } }

  var text: String { state.withLock { $0 } }
}
