import Synchronization

/// Lets tasks pass one after the other, in the order in which they came; a cancelled task leaves the line.
final class Gate: Sendable {
  private struct State {
    var isBusy = false
    var next = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    var cancelled: Set<Int> = []
  }
  private let state = Mutex(State())

  /// The gates that the current task, or the one that started it, is passing.
  @TaskLocal private static var passing: [ObjectIdentifier] = []

  /// Runs `body` once everyone who came earlier is through.
  ///
  /// - Throws: what `body` throws, or `CancellationError` when the task is cancelled while it waits; an error when it
  ///   would wait for itself.
  func pass<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    let name = ObjectIdentifier(self)
    guard !Self.passing.contains(name) else {
      throw SDKError(
        code: .invalidInput,
        message: "a tool's handler asked the session that is waiting for it; ask the model, or another session")
    }
    try await enter()
    defer { leave() }
    return try await Self.$passing.withValue(Self.passing + [name]) { try await body() }
  }

  private func enter() async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Bool? in
          if state.cancelled.remove(number) != nil { return false }
          if state.isBusy {
            state.waiting.append((number, continuation))
            return nil
          }
          state.isBusy = true
          return true
        }
        switch outcome {
        case true?: continuation.resume()
        case false?: continuation.resume(throwing: CancellationError())
        case nil: break
        }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.waiting.remove(at: place).continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
    // A task that was cancelled while it entered left its number behind.
    state.withLock { state in _ = state.cancelled.remove(number) }
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if state.waiting.isEmpty {
        state.isBusy = false
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume()
  }
}
