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
    let watch = Watch([SIGINT, SIGTERM]) { task.cancel() }
    defer { watch.end() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Waits for what a person types; the first Ctrl-C only calls `hint`.
  static func reading<Value>(hint: @escaping @Sendable () -> Void, _ body: () -> Value) -> Value {
    let watch = Watch([SIGINT], onFirst: hint)
    defer { watch.end() }
    return body()
  }

  /// From here on Ctrl-C does nothing where nobody watches it: in the moments between reading and answering.
  static func ignoreElsewhere() { signal(SIGINT, SIG_IGN) }

  /// Makes a closed pipe an error of `write`, which ends the program quietly, and not a death by signal. The handler does
  /// nothing; it is there because what is ignored would stay so in the programs that tools run.
  static func surviveClosedPipes() {
    signal(SIGPIPE) { _ in }
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

/// Signals that are told to a closure the first time; a second one ends the program.
private struct Watch {
  private let sources: [(source: any DispatchSourceSignal, restore: () -> Void)]

  init(_ numbers: [Int32], onFirst: @escaping @Sendable () -> Void) {
    let counter = Counter()
    sources = numbers.map { number in
      // The default action would end the program before the source hears of it.
      let previous = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if counter.next() > 1 { _exit(Program.Status.cancelled) }
        onFirst()
      }
      source.resume()
      return (source, { signal(number, previous) })
    }
  }

  /// Everything is as it was before.
  func end() {
    for (source, restore) in sources {
      source.cancel()
      restore()
    }
  }
}

/// Counts, from any thread.
private final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
