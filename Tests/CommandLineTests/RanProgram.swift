import Foundation

/// `ra-run` run as a user runs it: a process with its own streams.
struct RanProgram: Sendable {
  let status: Int32
  let output: String
  let complaint: String

  /// The program beside the test bundle: the same build.
  static let executable: URL = {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    #else
      let bundle: URL? = nil
    #endif
    let tests = bundle ?? URL(filePath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appending(path: "ra-run")
  }()

  /// Runs the program to its end; `input` is its standard input.
  static func run(
    _ words: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> RanProgram {
    try run(executable, words, input: input, environment: environment)
  }

  /// Runs a shell line in which `ra-run` is the program.
  static func shell(_ line: String) throws -> RanProgram {
    try run(URL(filePath: "/bin/bash"), ["-c", "ra_run=\"$0\"; " + line, executable.path], input: "", environment: [:])
  }

  private static func run(
    _ executable: URL, _ words: [String], input: String, environment: [String: String]
  ) throws -> RanProgram {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ra-run-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (stdin, stdout, stderr) = (
      folder.appending(path: "0"), folder.appending(path: "1"), folder.appending(path: "2")
    )
    try Data(input.utf8).write(to: stdin)
    try Data().write(to: stdout)
    try Data().write(to: stderr)
    let process = Process()
    process.executableURL = executable
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: stdin)
    process.standardOutput = try FileHandle(forWritingTo: stdout)
    process.standardError = try FileHandle(forWritingTo: stderr)
    try process.run()
    process.waitUntilExit()
    return RanProgram(
      status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
      output: String(decoding: try Data(contentsOf: stdout), as: UTF8.self),
      complaint: String(decoding: try Data(contentsOf: stderr), as: UTF8.self))
  }
}
