import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ra_run

@Suite("Ctrl-C", .serialized)
struct InterruptTests {
  @Test("every answer of a conversation can be stopped, not only the first")
  func again() async throws {
    for _ in 0..<3 {
      let isStopped = try await Interrupt.cancelling {
        kill(getpid(), SIGINT)
        return await eventually { Task.isCancelled }
      }
      #expect(isStopped)
    }
  }

  @Test("while a line is read it only gives a hint")
  func reading() {
    for _ in 0..<2 {
      let hints = Count()
      let wasHeard = Interrupt.reading(hint: hints.increment) {
        kill(getpid(), SIGINT)
        return eventually { hints.value == 1 }
      }
      #expect(wasHeard)
    }
  }
}

/// Counts, from any thread.
private final class Count: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  @Sendable func increment() { count.add(1, ordering: .relaxed) }
}
