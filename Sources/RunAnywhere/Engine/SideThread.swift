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

  private let line: Line
  private let name: String
  private let isStarted = Atomic(false)

  init(name: String) {
    self.name = name
    line = Line()
  }

  deinit { line.close() }

  func start<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Job<Value> {
    if !isStarted.exchange(true, ordering: .relaxed) {
      let line = line
      let thread = Thread { line.serve() }
      thread.name = name
      thread.stackSize = 16 << 20
      thread.start()
    }
    let job = Job<Value>()
    line.append { job.finish(work()) }
    return job
  }

  /// The waiting work. `condition` protects `work` and `isClosed`; that is what makes the class safe to share.
  private final class Line: @unchecked Sendable {
    private let condition = NSCondition()
    private var work: [@Sendable () -> Void] = []
    private var isClosed = false

    func append(_ item: @escaping @Sendable () -> Void) {
      condition.lock()
      work.append(item)
      condition.signal()
      condition.unlock()
    }

    func close() {
      condition.lock()
      isClosed = true
      condition.signal()
      condition.unlock()
    }

    func serve() {
      while let item = next() { item() }
    }

    private func next() -> (@Sendable () -> Void)? {
      condition.lock()
      defer { condition.unlock() }
      while work.isEmpty {
        if isClosed { return nil }
        condition.wait()
      }
      return work.removeFirst()
    }
  }
}
