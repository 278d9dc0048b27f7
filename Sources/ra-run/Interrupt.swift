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
    Signals.shared.listen { task.cancel() }
    defer { Signals.shared.stopListening() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Waits for what a person types; the first Ctrl-C only calls `hint`.
  static func reading<Value>(hint: @escaping @Sendable () -> Void, _ body: () -> Value) -> Value {
    Signals.shared.listen(hint)
    defer { Signals.shared.stopListening() }
    return body()
  }

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

/// Who hears of SIGINT and SIGTERM.
///
/// There is one for the whole program: on Linux a dispatch source hears nothing of a signal for which there was another
/// source before.
///
/// `@unchecked Sendable`: `sources` is filled by the initialiser and only kept after that.
private final class Signals: @unchecked Sendable {
  static let shared = Signals()

  private struct State {
    var listener: (@Sendable () -> Void)?
    var wasTold = false
  }
  private let state = Mutex(State())
  private var sources: [any DispatchSourceSignal] = []

  private init() {
    for number in [SIGINT, SIGTERM] {
      // The default action would end the program before the source hears of it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in tell() }
      source.resume()
      sources.append(source)
    }
  }

  /// Has `listener` called at the first signal.
  func listen(_ listener: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.listener = listener
      state.wasTold = false
    }
  }

  func stopListening() { state.withLock { $0.listener = nil } }

  /// Tells the listener; without one, and the second time, the program ends.
  private func tell() {
    let listener = state.withLock { state -> (@Sendable () -> Void)? in
      defer { state.wasTold = true }
      return state.wasTold ? nil : state.listener
    }
    guard let listener else { _exit(Program.Status.cancelled) }
    listener()
  }
}
