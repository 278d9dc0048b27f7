import Foundation
import Synchronization

/// A thread that works beside the inference thread, one thing at a time.
///
/// It is started at first use and ends when the `SideThread` is released.
final class SideThread: Sendable {
  /// Work that is under way.
  final class Job<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let done = DispatchSemaphore(value: 0)

    /// The result, if it is there.
    var value: Value? { result.withLock { $0 } }

    /// The result; waits for it. Called once.
    func wait() -> Value? {
      if let value { return value }
      done.wait()
      return value
    }

    fileprivate func finish(_ value: Value) {
      result.withLock { $0 = value }
      done.signal()
    }
  }

  private let line = WorkLine<@Sendable () -> Void>()
  private let name: String
  private let isStarted = Atomic(false)

  init(name: String) {
    self.name = name
  }

  deinit { line.close() }

  func start<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Job<Value> {
    if !isStarted.exchange(true, ordering: .relaxed) {
      Thread.serve(line, name: name) { $0() }
    }
    let job = Job<Value>()
    line.append({ job.finish(work()) })
    return job
  }
}
