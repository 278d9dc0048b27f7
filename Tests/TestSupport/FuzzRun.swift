package import Foundation
import Synchronization
package import Testing

/// A bounded run over damaged inputs: some hundred iterations in every test run, or `RA_FUZZ_SECONDS` seconds of them, or
/// exactly `RA_FUZZ_COUNT`.
///
/// ```swift
/// try FuzzRun("gguf", iterations: 300).run { iteration in
///   try open(mutator.mutated(iteration: iteration, seed: 1))      // records what is wrong
/// }
/// ```
///
/// The number of the iteration under way is kept in a file, whose name is printed when the run is a long one: after a trap
/// it says which input to look at (`RA_FUZZ_START=N RA_FUZZ_COUNT=1 RA_FUZZ_SHOW=1` prints it and runs it again). In a
/// long run an iteration that works for over two seconds, or memory that grows by more than 200 MB, is a fault.
package struct FuzzRun {
  package let name: String
  private let iterations: UInt64
  private let seconds: Double?
  private let start: UInt64

  package init(_ name: String, iterations: UInt64) {
    let environment = ProcessInfo.processInfo.environment
    self.name = name
    let count = environment["RA_FUZZ_COUNT"].flatMap(UInt64.init)
    self.iterations = count ?? iterations
    seconds = count == nil ? environment["RA_FUZZ_SECONDS"].flatMap(Double.init) : nil
    start = environment["RA_FUZZ_START"].flatMap(UInt64.init) ?? 0
  }

  /// The file that holds the number of the iteration under way.
  package var logURL: URL { FileManager.default.temporaryDirectory.appending(path: "ra-fuzz-\(name).iteration") }

  /// Whether more than a test run's share is asked for.
  private var isLong: Bool { seconds != nil || ProcessInfo.processInfo.environment["RA_FUZZ_COUNT"] != nil }

  /// Runs `body` for one iteration after the other and records what is wrong: errors that it throws (``FuzzFault``), and
  /// what takes too long or too much memory.
  ///
  /// - Parameter stackSize: bytes of stack for `body`, which then runs on a thread of its own and has to throw its faults,
  ///   since `#expect` doesn't know there which test it belongs to; `nil` for the caller's thread.
  package func run(
    stackSize: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (_ iteration: UInt64) throws -> Void
  ) throws {
    var faults: [String] = []
    if let stackSize {
      try withoutActuallyEscaping(body) { body in
        let work = ThreadWork { try loop(body) }
        faults = try work.run(stackSize: stackSize)
      }
    } else {
      faults = try loop(body)
    }
    for fault in faults { Issue.record("\(name): \(fault)", sourceLocation: sourceLocation) }
  }

  /// The faults of all iterations, some dozen at most.
  private func loop(_ body: (UInt64) throws -> Void) throws -> [String] {
    try Data().write(to: logURL)
    let log = try FileHandle(forWritingTo: logURL)
    defer { try? log.close() }
    let watchdog = Watchdog(name)
    defer { watchdog.end() }
    let clock = ContinuousClock()
    let begin = clock.now
    var iteration = start
    var faults: [String] = []
    var worst = (seconds: 0.0, iteration: start)
    var memoryAtFirst: Int?
    while seconds.map({ (clock.now - begin) / .seconds(1) < $0 }) ?? (iteration < start + iterations), faults.count < 24
    {
      try log.seek(toOffset: 0)
      try log.write(contentsOf: Data("\(iteration)          ".utf8))
      watchdog.begin(iteration)
      let processorStart = Self.processorSeconds
      do { try body(iteration) } catch { faults.append("iteration \(iteration): \(error)") }
      let processor = Self.processorSeconds - processorStart
      if processor > worst.seconds { worst = (processor, iteration) }
      // On a busy machine time passes without any work being done, so two seconds of work count, and only a long run, which
      // has the process for itself, is held to them: elsewhere what counts is that it ends.
      if processor > (isLong ? 2 * Slowness.factor : Slowness.hang / .seconds(1)) {
        faults.append("iteration \(iteration) took \(processor) s of work")
      }
      let memory = Self.peakMemory
      // What the first inputs need once (tables, caches) isn't growth.
      if iteration == start + min(200, iterations / 2) { memoryAtFirst = memory }
      // Other suites of the process count too, so only a long run, which has it for itself, is judged.
      if isLong, let before = memoryAtFirst, memory - before > 200_000_000 {
        faults.append("memory grew from \(before) to \(memory) bytes by iteration \(iteration)")
        memoryAtFirst = memory
      }
      iteration += 1
    }
    guard isLong else { return faults }
    let elapsed = Int((clock.now - begin) / .seconds(1))
    print(
      "fuzzing \(name): \(iteration - start) inputs in \(elapsed) s, the slowest \(worst.iteration) with",
      "\(Int(worst.seconds * 1000)) ms; peak memory \((memoryAtFirst ?? 0) / 1_000_000) MB at first,",
      "\(Self.peakMemory / 1_000_000) MB at the end (\(logURL.path))")
    return faults
  }

  /// Prints an input when `RA_FUZZ_SHOW` is set: which text is behind a number of an iteration.
  package static func show(_ input: @autoclosure () -> Any) {
    if shows { print("input: \(input())") }
  }

  private static let shows = ProcessInfo.processInfo.environment["RA_FUZZ_SHOW"] != nil

  /// Seconds for which this thread has been running.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The most memory that this process has had resident, in bytes.
  private static var peakMemory: Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1024
    #endif
  }
}

/// What a fuzzed input did wrong.
package struct FuzzFault: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Work for a thread with a stack of a chosen size, whose end is waited for.
///
/// `@unchecked Sendable`: the thread that made it does nothing until the other one is done, so only one of them ever
/// touches the closure and the result.
private final class ThreadWork: @unchecked Sendable {
  private var work: (() throws -> [String])?
  private var result: Result<[String], any Error> = .success([])

  init(_ work: @escaping () throws -> [String]) { self.work = work }

  /// Does the work and lets go of it: nobody may hold a closure that doesn't escape once the caller goes on.
  private func finish() {
    result = Result { try work?() ?? [] }
    work = nil
  }

  func run(stackSize: Int) throws -> [String] {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      self.finish()
      done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    done.wait()
    return try result.get()
  }
}

/// Ends a process whose input doesn't come to an end: without it a hang would go on for ever.
private final class Watchdog: Sendable {
  private let state = Mutex<(iteration: UInt64, since: ContinuousClock.Instant)?>((0, .now))

  init(_ name: String) {
    let thread = Thread { [self] in
      while let state = state.withLock({ $0 }) {
        if .now - state.since > Slowness.hang * 2 {
          fatalError("fuzzing \(name): iteration \(state.iteration) hangs")
        }
        Thread.sleep(forTimeInterval: 0.25)
      }
    }
    thread.start()
  }

  func begin(_ iteration: UInt64) { state.withLock { $0 = (iteration, .now) } }

  func end() { state.withLock { $0 = nil } }
}
