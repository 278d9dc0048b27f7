import CKernels
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads that run one body together and wait for each other: a fork-join region.
///
/// ```swift
/// let pool = WorkerPool(threads: WorkerPool.allowedThreads)
/// pool.run { worker, workers in … }  // called once for every worker in 0..<workers
/// ```
///
/// The calling thread takes part, so a pool of one thread starts none. Nor does a pool start more than the process may
/// keep busy: threads that take turns on a core only get in each other's way. Shares are claimed, not assigned: when a thread
/// of the pool isn't scheduled (the machine is busy with other processes), the caller runs its share too instead of
/// waiting for it. Idle threads spin for a moment, since the next region usually follows at once, and then park.
///
/// One region at a time: the pool has one owner, and a body must not start another region of the same pool.
package final class WorkerPool: Sendable {
  /// Number of shares in a region.
  package let threads: Int
  private let shared: SharedState
  private let handles: [pthread_t]

  /// Starts `threads - 1` threads beside the caller, but no more than ``allowedThreads`` in all.
  ///
  /// Threads that take turns on a core only get in each other's way, and even shares without threads cost: matrices are
  /// then read in more and shorter streams. 64 shares on two cores made decoding 17 times slower.
  package convenience init(threads: Int = WorkerPool.allowedThreads) {
    self.init(threads: threads, atMost: Self.allowedThreads)
  }

  /// Starts `threads - 1` threads beside the caller, `most` at most in all; when the system refuses threads, the others run
  /// several shares.
  package init(threads: Int, atMost most: Int) {
    let shared = SharedState()
    var handles: [pthread_t] = []
    self.threads = max(1, min(threads, most, SharedState.maximumShares))
    for _ in 1..<self.threads {
      guard let handle = Self.startThread(shared) else { break }
      handles.append(handle)
    }
    self.shared = shared
    self.handles = handles
  }

  deinit {
    shared.stop()
    for handle in handles { pthread_join(handle, nil) }
  }

  /// Calls `body` once for each worker in `0..<threads`, on any of the pool's threads, and returns when all are done.
  ///
  /// What the bodies write before they return is visible to the caller afterwards.
  package func run(_ body: (_ worker: Int, _ workers: Int) -> Void) {
    guard !handles.isEmpty else { return (0..<threads).forEach { body($0, threads) } }
    withoutActuallyEscaping(body) { body in
      shared.runRegion(shares: threads, body)
    }
  }

  /// Starts one thread that serves `shared` until it is stopped.
  private static func startThread(_ shared: SharedState) -> pthread_t? {
    let argument = Unmanaged.passRetained(shared)
    #if canImport(Darwin)
      var handle: pthread_t?
      let status = pthread_create(&handle, nil, { serve($0) }, argument.toOpaque())
    #else
      var handle = pthread_t()
      let status = pthread_create(&handle, nil, { serve($0) }, argument.toOpaque())
    #endif
    guard status == 0 else {
      argument.release()
      return nil
    }
    return handle
  }
}

/// A pool thread's main function; owns the reference that `argument` carries.
private func serve(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<SharedState>.fromOpaque(argument).takeRetainedValue().serve()
  return nil
}

/// What the caller and the pool's threads share.
///
/// `state` holds the region's number and how many of its shares are still unclaimed: `number << 16 | unclaimed`. A
/// claim is a compare-exchange that lowers `unclaimed`, so a thread that wakes late either claims from the region that
/// is open now or finds nothing. `@unchecked Sendable`: `body` and `shares` are written by the caller only while no
/// share is claimed or claimable (between regions), published by the releasing store to `state`, and read only between
/// a claim and the `completed` increment that follows it; everything else is atomic or guarded by `mutex`.
private final class SharedState: @unchecked Sendable {
  static let maximumShares = 1024
  /// How long a thread looks for work before it parks. Long enough to bridge the serial code between two regions of a
  /// forward pass, short enough not to matter when other processes want the core.
  private static let spinNanoseconds: UInt64 = 60_000

  private let state = Atomic<UInt64>(0)
  private let completed = Atomic<Int>(0)
  private let parked = Atomic<Int>(0)
  private let callerIsParked = Atomic<Bool>(false)
  private let isStopped = Atomic<Bool>(false)
  private let mutex = ConditionMutex()
  private var body: ((Int, Int) -> Void)?
  private var shares = 0

  // MARK: Caller

  func runRegion(shares: Int, _ body: @escaping (Int, Int) -> Void) {
    self.body = body
    self.shares = shares
    completed.store(0, ordering: .relaxed)
    let number = (state.load(ordering: .relaxed) >> 16) &+ 1
    // Sequentially consistent, like the counters it is paired with: either this thread sees a parked worker below, or
    // the worker sees the new region before it sleeps.
    state.store(number << 16 | UInt64(shares), ordering: .sequentiallyConsistent)
    if parked.load(ordering: .sequentiallyConsistent) > 0 { mutex.wakeWorkers() }
    while runShare() {}
    waitForCompletion()
    self.body = nil
  }

  private func waitForCompletion() {
    let isDone = { [self] in completed.load(ordering: .sequentiallyConsistent) == shares }
    if spin(until: isDone) { return }
    callerIsParked.store(true, ordering: .sequentiallyConsistent)
    mutex.waitAsCaller(until: isDone)
    callerIsParked.store(false, ordering: .relaxed)
  }

  func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    mutex.wakeWorkers()
  }

  // MARK: Pool threads

  func serve() {
    let hasWork = { [self] in
      state.load(ordering: .sequentiallyConsistent) & 0xFFFF != 0
        || isStopped.load(ordering: .sequentiallyConsistent)
    }
    while !isStopped.load(ordering: .acquiring) {
      while runShare() {}
      if spin(until: hasWork) { continue }
      parked.add(1, ordering: .sequentiallyConsistent)
      mutex.waitAsWorker(until: hasWork)
      parked.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  // MARK: Both

  /// Claims one share of the open region and runs it; `false` when there is none to claim.
  private func runShare() -> Bool {
    var current = state.load(ordering: .acquiring)
    while current & 0xFFFF != 0 {
      let (exchanged, original) = state.weakCompareExchange(
        expected: current, desired: current &- 1, ordering: .acquiringAndReleasing)
      guard exchanged else {
        current = original
        continue
      }
      // The claim keeps the region open until `completed` counts it: `body` and `shares` are this region's.
      let total = shares
      callBody(share: total - Int(current & 0xFFFF), of: total)
      let done = completed.add(1, ordering: .sequentiallyConsistent).newValue
      if done == total, callerIsParked.load(ordering: .sequentiallyConsistent) { mutex.wakeCaller() }
      return true
    }
    return false
  }

  /// Kept out of line so that the reference to `body` that a call takes is given back before the share counts as done.
  @inline(never)
  private func callBody(share: Int, of total: Int) {
    body?(share, total)
  }

  /// Looks at `condition` for a bounded time; whether it held.
  private func spin(until condition: () -> Bool) -> Bool {
    let end = monotonicNanoseconds() &+ Self.spinNanoseconds
    repeat {
      for _ in 0..<64 {
        if condition() { return true }
        ck_spin_hint()
      }
    } while monotonicNanoseconds() < end
    return condition()
  }
}

/// A clock that never goes back.
private func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}
