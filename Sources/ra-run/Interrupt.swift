import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ctrl-C: the first one cancels what is going on, a second one ends the program at once.
enum Interrupt {
  /// Runs `body` so that SIGINT and SIGTERM cancel its task.
  static func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await body() }
    let wasAsked = Mutex(false)
    let sources = [SIGINT, SIGTERM].map { number in
      // The default action would end the program before the source hears of it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let isSecond = wasAsked.withLock { asked in
          defer { asked = true }
          return asked
        }
        if isSecond { _exit(Program.Status.cancelled) }
        task.cancel()
      }
      source.resume()
      return (number, source)
    }
    defer {
      for (number, source) in sources {
        source.cancel()
        signal(number, SIG_DFL)
      }
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Has the program end with a line, and not with a trap, when pages of the mapped model file vanish while they are read.
  /// Whoever shortens a file takes them away; the engine notices it between two passes, this is for the time in between.
  static func reportChangedModel() {
    // In a handler only `write` and `_exit` are allowed, so the text is one that the program holds ready.
    signal(SIGBUS) { _ in
      let line: StaticString = "ra-run: the model file was cut while in use; load it again\n"
      _ = write(2, line.utf8Start, line.utf8CodeUnitCount)
      _exit(1)
    }
  }
}
