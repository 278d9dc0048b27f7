import Foundation
import RunAnywhere
import TestSupport
import Testing

@testable import ra_run

@Suite("ra-run doctor")
struct DoctorTests {
  @Test("it says what was chosen and why, for people and as JSON")
  func healthy() throws {
    let environment = ["RUNANYWHERE_MODELS": "/nowhere"]
    let run = try RanProgram.run(["doctor"], environment: environment)
    #expect(run.status == 0 && run.complaint.isEmpty, "\(run)")
    for word in ["processor", "kernels", "threads", "BLAS", "memory", "models", "result", "all is well"] {
      #expect(run.output.contains(word), "\(word)")
    }
    let document = try JSONValue(parsing: try RanProgram.run(["doctor", "--json"], environment: environment).output)
    let threads = try #require(document["threads"])
    #expect((threads["count"]?.integerValue ?? 0) >= 1)
    #expect((threads["count"]?.integerValue ?? 0) <= (threads["cores"]?.integerValue ?? 0))
    #expect((document["memory"]?["physical"]?.integerValue ?? 0) > 100_000_000)
    #expect(document["faults"] == [] && document["blas"]?.stringValue?.isEmpty == false)
    #expect(document["available_kernels"]?.arrayValue?.contains(document["kernels"] ?? .null) == true)
  }

  @Test("a model that can't be used is a fault and status 1")
  func brokenModel() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(try TinyModel().bytes()).write(to: folder.appending(path: "good.gguf"))
    let environment = ["RUNANYWHERE_MODELS": folder.path]
    #expect(try RanProgram.run(["doctor"], environment: environment).status == 0)
    try Data("GGUF\u{3}\0\0\0".utf8).write(to: folder.appending(path: "bad\u{1B}[31m.gguf"))
    let run = try RanProgram.run(["doctor"], environment: environment)
    #expect(run.status == 1 && run.output.contains("1 fault") && run.output.contains("can't be used"), "\(run)")
    #expect(!run.output.contains("\u{1B}"))
    let document = try JSONValue(parsing: try RanProgram.run(["doctor", "--json"], environment: environment).output)
    #expect(document["models"]?.arrayValue?.count == 2 && document["faults"]?.arrayValue?.count == 1)
  }

  @Test("limits are read from the system's texts")
  func memoryTexts() {
    #expect(MemoryLimit(physical: 10, cgroup: 5).bytes == 5 && MemoryLimit(physical: 10).bytes == 10)
    let limit = MemoryLimit()
    #expect(limit.physical > 0 && limit.bytes <= limit.physical && (limit.available ?? 0) <= limit.physical)
  }
}
