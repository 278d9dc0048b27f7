import RunAnywhere
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

  @Test("Cancelling ends the program", .timeLimit(.minutes(1)))
  func cancellation() async throws {
    let task = Task { try await ExternalTool(command: ["sleep", "20"]).call([:]) }
    try await Task.sleep(for: .milliseconds(200))
    task.cancel()
    let start = ContinuousClock.now
    await #expect(throws: (any Error).self) { _ = try await task.value }
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
