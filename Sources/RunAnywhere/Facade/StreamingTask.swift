/// Work whose output is read as a stream; dropping the stream cancels the work.
enum StreamingTask {
  /// Starts a generation of text.
  static func start(
    _ work: @escaping @Sendable (_ emit: @escaping @Sendable (String) -> Void) async throws -> LLMGenerationResult
  ) -> LLMStreamingResult {
    let (stream, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
    let task = Task.detached {
      do {
        let result = try await work { continuation.yield($0) }
        continuation.finish()
        return result
      } catch {
        continuation.finish(throwing: error)
        throw error
      }
    }
    continuation.onTermination = { reason in
      if case .cancelled = reason { task.cancel() }
    }
    return LLMStreamingResult(stream: stream, result: task)
  }

  /// Starts work that yields events of any kind.
  static func events<Event: Sendable>(
    _ work: @escaping @Sendable (_ emit: @escaping @Sendable (Event) -> Void) async throws -> Void
  ) -> AsyncThrowingStream<Event, any Error> {
    let (stream, continuation) = AsyncThrowingStream<Event, any Error>.makeStream()
    let task = Task.detached {
      do {
        try await work { continuation.yield($0) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { reason in
      if case .cancelled = reason { task.cancel() }
    }
    return stream
  }
}
