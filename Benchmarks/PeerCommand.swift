import Foundation
import JSON

/// Another engine's measurement, made by a command that prints its figures as a JSON object.
final class PeerCommand {
  private let line: String
  /// What the peer calls itself, once it has run.
  private(set) var engine = "peer"

  init(_ template: String, model: String, threads: Int, plan: SpeedPlan) {
    var line = template
    for (name, value) in [
      ("model", "'" + model.replacingOccurrences(of: "'", with: "'\\''") + "'"), ("threads", "\(threads)"),
      ("prompt", "\(plan.prompt)"), ("generate", "\(plan.generate)"), ("depth", "\(plan.depth)"),
    ] {
      line = line.replacingOccurrences(of: "{\(name)}", with: value)
    }
    self.line = line
  }

  /// Runs the command and reads the last line of its output that is a JSON object.
  func measure() throws -> SpeedSample {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchError("the peer's command ended with status \(process.terminationStatus): \(line)")
    }
    for text in String(decoding: output, as: UTF8.self).split(separator: "\n").reversed() where text.hasPrefix("{") {
      guard let value = try? JSONValue(parsing: String(text)), let prefill = value["prefill_tps"]?.doubleValue,
        let decode = value["decode_tps"]?.doubleValue
      else { continue }
      engine = value["engine"]?.stringValue ?? engine
      return SpeedSample(prefill: prefill, decode: decode, firstToken: .nan)
    }
    throw BenchError("the peer's command printed no JSON object with prefill_tps and decode_tps: \(line)")
  }
}
