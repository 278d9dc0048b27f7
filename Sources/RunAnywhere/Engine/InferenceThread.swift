import Foundation
import Synchronization

/// The one thread on which a model computes. Requests wait in line and are served one after the other; Swift's
/// cooperative threads never compute.
///
/// The thread ends when the `InferenceThread` is released and the line is empty.
package final class InferenceThread: Sendable {
  private let line: Line

  /// Starts the thread.
  package init(name: String) {
    let line = Line()
    self.line = line
    let thread = Thread { line.serve() }
    thread.name = name
    thread.stackSize = 16 << 20
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  deinit { line.close() }

  /// Runs `work` on the thread, after what waits in line.
  ///
  /// When the current task is cancelled, work that hasn't begun leaves the line at once; work that has begun sees its
  /// `Cancellation`.
  ///
  /// - Throws: what `work` throws, or `CancellationError`.
  package func perform<Result: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    let line = line
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
        let job = Job(
          cancellation: cancellation,
          run: {
            continuation.resume(with: Swift.Result { try work(cancellation) })
          },
          abandon: { continuation.resume(throwing: CancellationError()) })
        line.append(job)
      }
    } onCancel: {
      cancellation.cancel()
      line.abandon(cancellation)
    }
  }

  private struct Job: Sendable {
    let cancellation: Cancellation
    let run: @Sendable () -> Void
    let abandon: @Sendable () -> Void
  }

  /// The waiting jobs. `condition` protects `jobs` and `isClosed`; that is what makes the class safe to share.
  private final class Line: @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [Job] = []
    private var isClosed = false

    func append(_ job: Job) {
      condition.lock()
      let isCancelled = job.cancellation.isCancelled
      if !isCancelled { jobs.append(job) }
      condition.signal()
      condition.unlock()
      if isCancelled { job.abandon() }
    }

    func abandon(_ cancellation: Cancellation) {
      condition.lock()
      let place = jobs.firstIndex { $0.cancellation === cancellation }
      let job = place.map { jobs.remove(at: $0) }
      condition.unlock()
      job?.abandon()
    }

    func close() {
      condition.lock()
      isClosed = true
      condition.signal()
      condition.unlock()
    }

    func serve() {
      while let job = next() { job.run() }
    }

    private func next() -> Job? {
      condition.lock()
      defer { condition.unlock() }
      while jobs.isEmpty {
        if isClosed { return nil }
        condition.wait()
      }
      return jobs.removeFirst()
    }
  }
}
