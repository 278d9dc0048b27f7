package import Foundation
package import Testing

/// A bounded run over damaged inputs: some hundred iterations in every test run, or `RA_FUZZ_SECONDS` seconds of them.
///
/// ```swift
/// try FuzzRun("gguf", iterations: 300).run { iteration in
///   try open(mutator.mutated(iteration: iteration, seed: 1))      // records what is wrong
/// }
/// ```
///
/// The number of the iteration under way is kept in a file, whose name is printed when the run is a long one: after a trap
/// it says which input to look at (`RA_FUZZ_START=N RA_FUZZ_SECONDS=1` runs it again). An iteration that works for over
/// two seconds, or memory that grows by more than 200 MB, is a fault.
package struct FuzzRun {
  package let name: String
  private let iterations: UInt64
  private let seconds: Double?
  private let start: UInt64

  package init(_ name: String, iterations: UInt64) {
    let environment = ProcessInfo.processInfo.environment
    self.name = name
    self.iterations = iterations
    seconds = environment["RA_FUZZ_SECONDS"].flatMap(Double.init)
    start = environment["RA_FUZZ_START"].flatMap(UInt64.init) ?? 0
  }

  /// The file that holds the number of the iteration under way.
  package var logURL: URL { FileManager.default.temporaryDirectory.appending(path: "ra-fuzz-\(name).iteration") }

  package func run(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (_ iteration: UInt64) throws -> Void
  ) throws {
    try Data().write(to: logURL)
    let log = try FileHandle(forWritingTo: logURL)
    defer { try? log.close() }
    if let seconds { print("fuzzing \(name) for \(seconds) s from iteration \(start); under way: \(logURL.path)") }

    let clock = ContinuousClock()
    let begin = clock.now
    var iteration = start
    var memoryAtFirst: Int?
    while seconds.map({ (clock.now - begin) / .seconds(1) < $0 }) ?? (iteration < start + iterations) {
      try log.seek(toOffset: 0)
      try log.write(contentsOf: Data("\(iteration)          ".utf8))
      let processorStart = Self.processorSeconds
      let wall = try clock.measure { try body(iteration) }
      let processor = Self.processorSeconds - processorStart
      // On a busy machine time passes without any work being done, so two seconds of work count.
      if processor > 2 || wall > .seconds(60) {
        Issue.record(
          "\(name): iteration \(iteration) took \(processor) s of work, \(wall) in all", sourceLocation: sourceLocation)
      }
      // What the first inputs need once (tables, caches) isn't growth.
      if iteration == start + min(200, iterations / 2) { memoryAtFirst = Self.peakMemory }
      iteration += 1
    }
    if let seconds { print("fuzzing \(name): \(iteration - start) inputs in \(seconds) s") }
    if let before = memoryAtFirst, let after = Self.peakMemory, seconds != nil {
      print("fuzzing \(name): peak memory \(before / 1_000_000) MB at first, \(after / 1_000_000) MB at the end")
      if after - before > 200_000_000 {
        Issue.record("\(name): memory grew from \(before) to \(after) bytes", sourceLocation: sourceLocation)
      }
    }
  }

  /// Seconds for which this thread has been running.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The most memory that this process has had resident, in bytes; `nil` where the system doesn't say.
  private static var peakMemory: Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return line.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1024 }
    }
    return nil
  }
}
