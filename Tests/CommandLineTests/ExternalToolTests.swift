import Foundation
import RunAnywhere
import TestSupport
import Testing

@testable import ra_run

@Suite("External tool")
struct ExternalToolTests {
  func call(_ script: String, _ arguments: [String: ToolValue] = [:]) async throws -> [String: ToolValue] {
    try await ExternalTool(command: ["sh", "-c", script]).call(arguments)
  }

  @Test("Arguments arrive on standard input as JSON, the result comes from standard output")
  func roundTrip() async throws {
    #expect(try await call("cat", ["city": "Zürich", "days": 3]) == ["city": "Zürich", "days": 3])
  }

  @Test("Results that are no object get a name")
  func results() async throws {
    #expect(try await call("echo 42") == ["result": 42])
    #expect(try await call("echo hello world") == ["output": "hello world"])
    #expect(try await call("true") == ["output": ""])
  }

  @Test("A failing program is a failure with its last complaint")
  func failure() async throws {
    let error = await #expect(throws: Failure.self) { _ = try await call("echo no such city >&2; exit 3") }
    #expect(error?.description == "sh ended with status 3: no such city")
    await #expect(throws: Failure.self) { _ = try await ExternalTool(command: ["no-such-program-here"]).call([:]) }
  }

  @Test("A program that ignores its input or writes a lot doesn't block")
  func pipes() async throws {
    let long = String(repeating: "x", count: 1 << 20)
    #expect(try await call("exec 0<&-; echo 1", ["text": .string(long)]) == ["result": 1])
    let result = try await call("head -c 3000000 /dev/zero | tr '\\0' y; head -c 300000 /dev/zero >&2")
    #expect(result["output"]?.stringValue?.utf8.count == ExternalTool.outputLimit)
  }

  @Test("Cancelling ends the program", .timeLimit(.minutes(10)))
  func cancellation() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    // The file is there when the program is; the program itself ends long after the test's limit.
    let task = Task { try await call("echo $$ > '\(file.path)'; exec sleep 3000") }
    func number() -> Int32? { (try? String(contentsOf: file, encoding: .utf8)).flatMap { Int32($0.dropLast()) } }
    #expect(await eventually { number() != nil })
    let process = try #require(number())
    task.cancel()
    await #expect(throws: (any Error).self) { _ = try await task.value }
    #expect(await eventually { kill(process, 0) != 0 })
  }
}
