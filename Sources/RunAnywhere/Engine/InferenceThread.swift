import Foundation
import Synchronization

/// The one thread on which a model computes. Requests wait in line and are served one after the other; Swift's
/// cooperative threads never compute.
///
/// The thread ends when the `InferenceThread` is released and the line is empty.
package final class InferenceThread: Sendable {
  private let line = WorkLine<Job>()

  /// Starts the thread.
  package init(name: String) {
    Thread.serve(line, name: name, quality: .userInitiated) { $0.run() }
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
        if !line.append(job, unless: { cancellation.isCancelled }) { job.abandon() }
      }
    } onCancel: {
      cancellation.cancel()
      line.remove { $0.cancellation === cancellation }?.abandon()
    }
  }

  private struct Job: Sendable {
    let cancellation: Cancellation
    let run: @Sendable () -> Void
    let abandon: @Sendable () -> Void
  }
}
