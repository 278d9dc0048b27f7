import Synchronization
import Testing

@testable import Tensor

@Suite struct WorkerPoolTests {
  @Test(arguments: [1, 2, 3, 7])
  func everyWorkerRunsOnceARegion(threads: Int) {
    let pool = WorkerPool(threads: threads, atMost: threads)
    #expect(pool.threads == threads)
    for _ in 0..<200 {
      let counts = (0..<threads).map { _ in Counter() }
      pool.run { worker, workers in
        #expect(workers == threads)
        counts[worker].value.add(1, ordering: .relaxed)
      }
      #expect(counts.allSatisfy { $0.value.load(ordering: .relaxed) == 1 })
    }
  }

  /// Plain memory written in a region is read after it, and in the next region by another worker.
  @Test func writesAreVisibleAfterTheRegion() {
    let pool = WorkerPool(threads: 3, atMost: 3)
    let values = UnsafeMutablePointer<Int>.allocate(capacity: 3)
    defer { values.deallocate() }
    values.initialize(repeating: 0, count: 3)
    let copies = UnsafeMutablePointer<Int>.allocate(capacity: 3)
    defer { copies.deallocate() }
    for round in 1...300 {
      pool.run { worker, _ in values[worker] = round * 10 + worker }
      pool.run { worker, workers in copies[worker] = values[(worker + 1) % workers] }
      for worker in 0..<3 { #expect(copies[worker] == round * 10 + (worker + 1) % 3) }
      if round % 100 == 0 { spinFor(microseconds: 500) }  // long enough for the threads to park
    }
  }

  /// Shares take very different times, so that the caller parks for a late worker and workers park for a late caller.
  @Test func unevenSharesAreAwaited() {
    let pool = WorkerPool(threads: 2, atMost: 2)
    for slow in [0, 1, 0, 1] {
      let done = Counter()
      pool.run { worker, _ in
        if worker == slow { spinFor(microseconds: 2_000) }
        done.value.add(1, ordering: .relaxed)
      }
      #expect(done.value.load(ordering: .relaxed) == 2)
    }
  }

  @Test func poolsEndWhileTheirThreadsAreParkedOrSpinning() {
    for index in 0..<20 {
      let pool = WorkerPool(threads: 3, atMost: 3)
      pool.run { _, _ in }
      if index % 2 == 0 { spinFor(microseconds: 300) }
    }
  }

  /// Many more threads asked for than there are cores (case 53).
  @Test func sharesStayInBounds() {
    let pool = WorkerPool(threads: 1_000_000)
    let most = WorkerPool.allowedThreads
    #expect(pool.threads == most)
    let counts = (0..<most).map { _ in Counter() }
    for _ in 0..<100 {
      pool.run { worker, workers in
        #expect(workers == most)
        counts[worker].value.add(1, ordering: .relaxed)
      }
    }
    #expect(counts.allSatisfy { $0.value.load(ordering: .relaxed) == 100 })
  }

  @Test func nonsenseThreadCountsMeanOne() {
    #expect(WorkerPool(threads: 0).threads == 1)
    #expect(WorkerPool(threads: -3).threads == 1)
    #expect(WorkerPool.allowedThreads >= 1)
  }
}

private final class Counter: Sendable {
  let value = Atomic<Int>(0)
}

private func spinFor(microseconds: Int) {
  let end = ContinuousClock.now + .microseconds(microseconds)
  while ContinuousClock.now < end {}
}
