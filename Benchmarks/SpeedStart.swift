import Foundation
import JSON

/// `ra-run generate` from outside: the time from the start of the process to its first byte of output, and its memory.
struct SpeedStart {
  static let secondsLimit = 0.35
  static let megabytesLimit = 150.0

  let model: String
  let threads: Int

  /// A prompt of one token, then one that fills 512 positions.
  func measure(runs: Int, into report: inout BenchReport) throws {
    let short = try (0..<runs).map { _ in try run(prompt: "a") }
    let long = try run(prompt: Array(repeating: "a", count: 512).joined(separator: " "))
    let seconds = median(short.map(\.seconds))
    let memory = [short.compactMap(\.megabytes).max(), long.megabytes]
    report["start_to_first_token_s"] = .double(seconds)
    report["start_private_mb"] = memory[0].map { .double($0) } ?? .null
    report["start_private_mb_512"] = memory[1].map { .double($0) } ?? .null
    let texts = memory.map { $0.map { fixed($0) } ?? "?" }
    report.line(
      "ra-run from process start to first token: \(fixed(seconds, 3)) s (median of \(runs); "
        + "\(short.map { fixed($0.seconds, 3) }.joined(separator: ", "))), private memory \(texts[0]) MB; with 512 positions "
        + "in use \(texts[1]) MB")
    let isSmall = memory.allSatisfy { ($0 ?? 0) <= Self.megabytesLimit }
    if seconds > Self.secondsLimit || !isSmall { report.verdict = false }
  }

  private struct Sample {
    let seconds: Double
    /// The most memory of its own that the process had, or `nil` where the system doesn't tell.
    let megabytes: Double?
  }

  private func run(prompt: String) throws -> Sample {
    let process = Process()
    let output = Pipe()
    process.executableURL = try program()
    process.arguments = [
      "generate", "--model", model, "--prompt", prompt, "--max-tokens", "1", "--temp", "0", "--threads", "\(threads)",
      "--ctx-size", "640",
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    let watcher = MemoryWatcher(process.processIdentifier)
    let first = try output.fileHandleForReading.read(upToCount: 1)
    let seconds = (ContinuousClock.now - start).seconds
    _ = try output.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    let megabytes = watcher.stop()
    guard process.terminationStatus == 0, first?.count == 1 else {
      throw BenchError("\(process.executableURL?.path ?? "ra-run") ended with status \(process.terminationStatus)")
    }
    return Sample(seconds: seconds, megabytes: megabytes)
  }

  /// `ra-run` beside this program.
  private func program() throws -> URL {
    let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    let program = own.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "ra-run")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw BenchError("\(program.path) is not there: build it with swift build -c release --product ra-run")
    }
    return program
  }
}

/// Looks at a process's memory every two milliseconds, and keeps the most.
private final class MemoryWatcher: @unchecked Sendable {  // `most` is the thread's alone until it has ended
  private let identifier: Int32
  private let end = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private var most: Double?

  init(_ identifier: Int32) {
    self.identifier = identifier
    Thread.detachNewThread { [self] in
      repeat {
        if let now = Machine.privateMegabytes(of: identifier) { most = max(most ?? 0, now) }
      } while end.wait(timeout: .now() + .milliseconds(2)) == .timedOut
      ended.signal()
    }
  }

  func stop() -> Double? {
    end.signal()
    ended.wait()
    return most
  }
}
