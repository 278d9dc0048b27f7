import Foundation
import RunAnywhere
import Synchronization

/// Runs a program as a tool: the arguments as JSON on its standard input, its result as JSON on its standard output.
///
/// A result that is no object arrives under `result`, output that is no JSON under `output`. A program that ends with
/// another status than 0 has failed; the last line that it wrote to standard error is the reason.
struct ExternalTool: Sendable {
  /// The program and its arguments; a name without a slash is looked up on the search path.
  let command: [String]

  /// The most bytes of output that are looked at.
  static let outputLimit = 1 << 20

  /// Runs the program; cancelling the task ends it.
  func call(_ arguments: [String: ToolValue]) async throws -> [String: ToolValue] {
    let input = ToolValue.object(arguments).jsonText + "\n"
    let running = RunningProcess()
    let answer = try await withTaskCancellationHandler {
      // Waiting blocks a thread, so it is one of its own and none of the pool's.
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Answer, any Error>) in
        Thread.detachNewThread {
          continuation.resume(with: Result { try run(input, running) })
        }
      }
    } onCancel: {
      running.terminate()
    }
    try Task.checkCancellation()
    guard answer.status == 0 else {
      let reason = answer.complaint.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
      throw Failure("\(command[0]) ended with status \(answer.status)\(reason)")
    }
    return Self.result(answer.output)
  }

  /// The result that a program's output stands for.
  static func result(_ output: String) -> [String: ToolValue] {
    guard let value = try? ToolValue(json: output) else {
      return ["output": .string(output.trimmingCharacters(in: .whitespacesAndNewlines))]
    }
    return value.objectValue ?? ["result": value]
  }

  private struct Answer: Sendable {
    let status: Int32
    let output: String
    let complaint: String
  }

  private func run(_ input: String, _ running: RunningProcess) throws -> Answer {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["--"] + command
    // A nameless file, and no pipe: a program that doesn't care for its input then breaks nothing.
    guard let file = tmpfile() else { throw Failure("can't create a temporary file for \(command[0])") }
    defer { fclose(file) }
    guard fputs(input, file) >= 0, fflush(file) == 0 else { throw Failure("can't write to a temporary file") }
    rewind(file)
    let (stdout, stderr) = (Pipe(), Pipe())
    process.standardInput = FileHandle(fileDescriptor: fileno(file))
    process.standardOutput = stdout
    process.standardError = stderr
    try process.run()
    running.started(process)
    // Both pipes are read at the same time: a full one never blocks the other.
    let complaint = Mutex("")
    let readers = DispatchGroup()
    DispatchQueue.global().async(group: readers) {
      let text = Self.read(stderr)
      complaint.withLock { $0 = text }
    }
    let output = Self.read(stdout)
    process.waitUntilExit()
    readers.wait()
    return Answer(status: process.terminationStatus, output: output, complaint: complaint.withLock { $0 })
  }

  /// Reads to the end, keeping the beginning.
  private static func read(_ pipe: Pipe) -> String {
    var kept = Data()
    while let piece = try? pipe.fileHandleForReading.read(upToCount: 1 << 16), !piece.isEmpty {
      kept.append(piece.prefix(outputLimit - kept.count))
    }
    return String(decoding: kept, as: UTF8.self)
  }
}

/// A process that another thread may end at any time, also before it has started.
///
/// `@unchecked Sendable`: `process` is only touched under the lock.
private final class RunningProcess: @unchecked Sendable {
  private let lock = NSLock()
  private var process: Process?
  private var isOver = false

  func started(_ process: Process) {
    let isLate = lock.withLock {
      self.process = process
      return isOver
    }
    if isLate { terminate() }
  }

  /// Asks the process to end, and ends it a second later if it doesn't.
  func terminate() {
    signal(SIGTERM)
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { self.signal(SIGKILL) }
  }

  private func signal(_ number: Int32) {
    lock.withLock {
      isOver = true
      if let process, process.isRunning { kill(process.processIdentifier, number) }
    }
  }
}
