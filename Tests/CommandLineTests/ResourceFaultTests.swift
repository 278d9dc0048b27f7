import Foundation
import RunAnywhere
import TestSupport
import Testing

@testable import ra_run

/// What the machine may do to the program: signals, closed and full outputs, few cores, changing files.
@Suite("ra-run under bad conditions", .serialized)
struct ResourceFaultTests {
  /// Runs `body` with the path of a small chat model with random weights.
  private func withModel(_ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tiny-\(UUID().uuidString).gguf")
    var model = TinyModel()
    model.contextLength = 4096
    model.chatTemplate = TinyModel.chatML
    try Data(try model.bytes()).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  private func process(_ words: [String], input: Any?, output: Any?, complaint: Any?) -> Process {
    let process = Process()
    process.executableURL = RanProgram.executable
    process.arguments = words
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = complaint ?? FileHandle.nullDevice
    return process
  }

  /// The exit status as a shell tells it.
  private func status(_ process: Process) -> Int32 {
    process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  @Test("an interrupt at any moment ends the program at once, without a trap (case 50)", .timeLimit(.minutes(20)))
  func interrupts() throws {
    try withModel { model in
      var generator = SeededGenerator(seed: 50)
      let prompt = String(repeating: "hello world ", count: 100)
      var seen: Set<Int32> = []
      for round in 0..<30 {
        let command = ["run", "generate", "chat"][round % 3]
        var words = [command, "-m", model, "-n", "2000", "--temp", "0"]
        if command != "chat" { words += ["--prompt", prompt] }
        let pipe = Pipe()
        let process = process(words, input: command == "chat" ? pipe : nil, output: nil, complaint: nil)
        try process.run()
        if command == "chat" { try pipe.fileHandleForWriting.write(contentsOf: Data("\(prompt)\n".utf8)) }
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.3, using: &generator))
        let number = round % 2 == 0 ? SIGINT : SIGTERM
        let start = ContinuousClock.now
        kill(process.processIdentifier, number)
        // A dialogue goes on after an interrupted answer; its end comes with that of its input.
        try? pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        let status = status(process)
        seen.insert(status)
        #expect([0, 130, 128 + number].contains(status), "round \(round): \(command) ended with \(status)")
        #expect(ContinuousClock.now - start < Slowness.hang, "round \(round)")
      }
      #expect(!seen.isEmpty)
    }
  }

  @Test("output that is closed, cut short or full ends the program, quietly or with a line (case 50)")
  func outputs() throws {
    try withModel { model in
      let words = "run -m '\(model)' -n 400 --temp 0 hello"
      for line in [
        "\"$ra_run\" \(words) | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}",
        "\"$ra_run\" \(words) | true; echo ${PIPESTATUS[0]}",
        "\"$ra_run\" help | true; echo ${PIPESTATUS[0]}", "\"$ra_run\" doctor | true; echo ${PIPESTATUS[0]}",
      ] {
        let run = try RanProgram.shell(line)
        #expect(run.output == "0\n" && run.complaint.isEmpty, "\(line): \(run)")
      }
      // Without any streams at all it still ends by itself.
      for line in [
        "\"$ra_run\" \(words) >&-; echo $? >&2", "\"$ra_run\" \(words) 2>&- >/dev/null; echo $? >&2",
        "\"$ra_run\" \(words) <&- >/dev/null; echo $? >&2", "\"$ra_run\" chat -m '\(model)' <&- >&-; echo $? >&2",
      ] {
        let run = try RanProgram.shell(line)
        let status = run.complaint.split(separator: "\n").last.flatMap { Int32($0) } ?? -1
        #expect((0...2).contains(status), "\(line): \(run)")
      }
      // The model's file doesn't get the number of the missing stream.
      let closed = try RanProgram.shell("\"$ra_run\" \(words) >&-; echo $? >&2")
      #expect(closed.complaint.contains("Bad file descriptor"), "\(closed)")
      #if os(Linux)
        let full = try RanProgram.shell("\"$ra_run\" \(words) >/dev/full; echo $? >&2")
        let lines = full.complaint.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("standard output") && lines[1] == "1", "\(full)")
      #endif
    }
  }

  @Test(
    "a terminal that goes away, or is of an unknown kind, leaves no trap",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
  func brokenTerminal() throws {
    try withModel { model in
      let script = """
        import os, pty, select, sys, time
        program, model, delay = sys.argv[1], sys.argv[2], float(sys.argv[3])
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ["TERM"] = "no-such-terminal"
            os.execv(program, ["ra-run", "chat", "-m", model, "-n", "300", "--temp", "0"])
        end = time.time() + delay
        os.write(terminal, b"hello\\n")
        while time.time() < end:
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    if not os.read(terminal, 4096): break
                except OSError: break
        os.close(terminal)
        for _ in range(6000):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done: break
            time.sleep(0.05)
        else:
            os.kill(pid, 9); print("hangs"); sys.exit()
        print(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)
        """
      for delay in ["0", "0.1", "0.5"] {
        let file = FileManager.default.temporaryDirectory.appending(path: "terminal-\(UUID().uuidString).py")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(script.utf8).write(to: file)
        let run = try RanProgram.shell("/usr/bin/python3 '\(file.path)' \"$ra_run\" '\(model)' \(delay)")
        // 1 is SIGHUP, which a terminal sends when it goes away.
        #expect(["0\n", "1\n"].contains(run.output), "\(delay): \(run)")
      }
    }
  }

  @Test(
    "threads follow the affinity of the process (case 53)",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/taskset"), "needs /usr/bin/taskset"))
  func affinity() throws {
    let one = try JSONValue(parsing: try RanProgram.shell("taskset -c 0 \"$ra_run\" doctor --json").output)
    #expect(one["threads"]?["count"] == 1, "\(one)")
    #expect(one["threads"]?["reason"]?.stringValue?.isEmpty == false)
    try withModel { model in
      let words = "run -m '\(model)' -n 6 --temp 0 -t"
      let expected = try RanProgram.shell("\"$ra_run\" \(words) 1 hello").output
      // Far more threads than cores: slower, but it never locks up.
      let run = try RanProgram.shell("timeout 600 taskset -c 0 \"$ra_run\" \(words) 64 hello")
      #expect(run.status == 0 && run.output == expected, "\(run)")
    }
  }

  #if os(Linux)
    @Test("threads and memory follow the limits of a real control group, where one can be made (case 53)")
    func controlGroups() throws {
      let name = "ra-test-\(UUID().uuidString)"
      /// Runs doctor in a group with a limit; `nil` where this process may make none.
      func doctor(_ tree: String, _ limits: [(file: String, text: String)]) throws -> JSONValue? {
        let group = "\(tree)/\(name)"
        guard mkdir(group, 0o755) == 0 else { return nil }
        defer { rmdir(group) }
        for limit in limits {
          guard FileManager.default.fileExists(atPath: "\(group)/\(limit.file)"),
            (try? Data(limit.text.utf8).write(to: URL(filePath: "\(group)/\(limit.file)"))) != nil
          else { return nil }
        }
        let line = "echo $$ > '\(group)/cgroup.procs' || exit 0; exec \"$ra_run\" doctor --json"
        let run = try RanProgram.shell(line)
        return run.output.isEmpty ? nil : try JSONValue(parsing: run.output)
      }
      let cores =
        try doctor("/sys/fs/cgroup/cpu", [("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "60000")])
        ?? doctor("/sys/fs/cgroup", [("cpu.max", "60000 100000")])
      if let cores {
        #expect(cores["threads"]?["count"] == 1, "\(cores)")
        #expect(cores["threads"]?["quota"] == 0.6 && cores["threads"]?["reason"]?.stringValue?.contains("0.6") == true)
      }
      let memory =
        try doctor("/sys/fs/cgroup/memory", [("memory.limit_in_bytes", "536870912")])
        ?? doctor("/sys/fs/cgroup", [("memory.max", "536870912")])
      if let memory { #expect(memory["memory"]?["cgroup"] == 536_870_912, "\(memory)") }
    }
  #endif

  @Test(
    "a model file that is cut, overwritten or replaced while it is in use: an error or the old answer, never a trap")
  func changingFile() throws {
    for change in ["cut to nothing", "cut in half", "removed", "replaced"] {
      try withModel { model in
        let (input, output, complaint) = (Pipe(), Pipe(), Pipe())
        let process = process(
          ["chat", "-m", model, "-n", "4", "--temp", "0"], input: input, output: output, complaint: complaint)
        try process.run()
        // What comes behind the answer says that it is over.
        try input.fileHandleForWriting.write(contentsOf: Data("hello\n/clear\n".utf8))
        var before = ""
        while !before.contains("forgotten") {
          let byte = try complaint.fileHandleForReading.read(upToCount: 1) ?? Data()
          guard !byte.isEmpty else { break }
          before += String(decoding: byte, as: UTF8.self)
        }
        #expect(before.contains("forgotten"), "\(change): \(before)")
        let size = try Data(contentsOf: URL(filePath: model)).count
        switch change {
        case "cut to nothing": truncate(model, 0)
        case "cut in half": truncate(model, off_t(size / 2))
        case "removed": try FileManager.default.removeItem(atPath: model)
        default:
          let other = model + ".new"
          try Data("GGUF".utf8).write(to: URL(filePath: other))
          #expect(rename(other, model) == 0)
        }
        try? input.fileHandleForWriting.write(contentsOf: Data("again\n".utf8))
        try? input.fileHandleForWriting.close()
        let message = String(decoding: try complaint.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let isCut = change.hasPrefix("cut")
        #expect(status(process) == (isCut ? 1 : 0), "\(change): \(status(process)) \(message)")
        if isCut { #expect(message.contains("in use"), "\(change): \(message)") }
      }
    }
  }

  @Test(
    "a models folder that can't be made is one line", arguments: ["/dev/null/models", "/proc/models", "/sys/models"])
  func unusableFolder(path: String) throws {
    let environment = ["RUNANYWHERE_MODELS": path]
    let pull = try RanProgram.run(["pull", "--quiet"], environment: environment)
    #expect(pull.status == 1 && pull.output.isEmpty, "\(pull)")
    #expect(pull.complaint.split(separator: "\n").count == 1, "\(pull)")
    let list = try RanProgram.run(["list"], environment: environment)
    #expect(list.status == 0 && list.output.isEmpty, "\(list)")
    let doctor = try RanProgram.run(["doctor"], environment: environment)
    #expect(doctor.status == 0 && doctor.output.contains("not there yet"), "\(doctor)")
  }
}
