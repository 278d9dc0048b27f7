import Synchronization

/// Runs handlers: off the caller's actor, with a time limit, and with every fault as data.
package struct ToolExecutor: Sendable {
  package let timeout: Duration

  package init(timeout: Duration) {
    self.timeout = timeout
  }

  /// The result of running `call` with `tool`'s handler.
  ///
  /// A handler that throws or takes longer than the timeout gives a failed result; one that is late is cancelled and
  /// what it returns is ignored.
  ///
  /// - Throws: `CancellationError` at once when the current task is cancelled, after cancelling the handler.
  package func run(_ call: ToolCall, with tool: RegisteredTool) async throws -> ToolResult {
    let race = Race()
    let handler = tool.handler
    let timeout = timeout
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        race.begin(continuation)
        // Not detached: a handler sees the task-local values of the one who asked.
        let work = Task {
          do {
            race.end(.result(.success(try await handler(call.arguments), of: call)))
          } catch {
            race.end(.result(.failure(ToolExecutor.message(of: error), of: call)))
          }
        }
        let clock = Task.detached {
          try? await Task.sleep(for: timeout)
          guard !Task.isCancelled else { return }
          race.end(
            .result(.failure("the tool did not answer within \(ToolExecutor.seconds(timeout)) seconds", of: call)))
        }
        race.attach([work, clock])
      }
    } onCancel: {
      race.end(.cancelled)
    }
    switch outcome {
    case .result(let result): return result
    case .cancelled: throw CancellationError()
    }
  }

  private enum Outcome: Sendable {
    case result(ToolResult)
    case cancelled
  }

  /// The first of handler, clock and cancellation decides; the others are cancelled and ignored.
  private final class Race: Sendable {
    private struct State {
      var continuation: CheckedContinuation<Outcome, Never>?
      var outcome: Outcome?
      var tasks: [Task<Void, Never>] = []
    }
    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
      let outcome = state.withLock { state in
        if state.outcome == nil { state.continuation = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }

    func attach(_ tasks: [Task<Void, Never>]) {
      let isOver = state.withLock { state in
        state.tasks = tasks
        return state.outcome != nil
      }
      if isOver { for task in tasks { task.cancel() } }
    }

    func end(_ outcome: Outcome) {
      let (continuation, tasks) = state.withLock {
        state -> (CheckedContinuation<Outcome, Never>?, [Task<Void, Never>]) in
        guard state.outcome == nil else { return (nil, []) }
        state.outcome = outcome
        defer { state.continuation = nil }
        return (state.continuation, state.tasks)
      }
      for task in tasks { task.cancel() }
      continuation?.resume(returning: outcome)
    }
  }

  /// What an error says, for the model: the message of errors that have one for users, otherwise their description.
  private static func message(of error: any Error) -> String {
    if error is CancellationError { return "the tool was cancelled" }
    return ErrorText.message(of: error)
  }

  private static func seconds(_ duration: Duration) -> String {
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    return seconds == seconds.rounded() ? "\(duration.components.seconds)" : "\(seconds)"
  }
}
