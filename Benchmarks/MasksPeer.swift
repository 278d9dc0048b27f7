import Foundation
import JSON

/// Another engine's figures, for a ratio in one run.
enum MasksPeer {
  static func run(_ template: String, vocab: String, cases: String, tools: Int) throws -> JSONValue {
    var line = template
    for (name, value) in [("vocab", vocab), ("cases", cases)] {
      let quoted = "'" + value.replacingOccurrences(of: "'", with: "'\\''") + "'"
      line = line.replacingOccurrences(of: "{\(name)}", with: quoted)
    }
    line = line.replacingOccurrences(of: "{tools}", with: "\(tools)")
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    for text in String(decoding: output, as: UTF8.self).split(separator: "\n").reversed() where text.hasPrefix("{") {
      if let value = try? JSONValue(parsing: String(text)), value["mask_us"] != nil { return value }
    }
    throw BenchError("the peer's command printed no JSON object with mask_us: \(line)")
  }

  /// Puts the peer's row beside ours; p50 at most 0.6 and p99 at most 0.8 of its time is the verdict.
  static func add(_ peer: JSONValue, to report: inout BenchReport) {
    let name = peer["engine"]?.stringValue ?? "peer"
    var ratios = JSONObject()
    for part in ["p50", "p95", "p99", "max"] {
      guard let ours = report["mask_us"]?[part]?.doubleValue, let theirs = peer["mask_us"]?[part]?.doubleValue,
        theirs > 0
      else { continue }
      ratios[part] = .double((ours / theirs * 1_000).rounded() / 1_000)
    }
    func figures(_ field: String, _ parts: [String]) -> [String] {
      parts.map { peer[field]?[$0]?.doubleValue.map { fixed($0, 2) } ?? "" }
    }
    report.row([name + " compile ms", ""] + figures("compile_ms", ["p50", "p95", "p99", "max"]))
    report.row([name + " mask µs", ""] + figures("mask_us", ["p50", "p95", "p99", "max"]))
    report["peer"] = peer
    report["mask_ratio"] = .object(ratios)
    if let p50 = ratios["p50"]?.doubleValue, let p99 = ratios["p99"]?.doubleValue {
      report.verdict = report.verdict && p50 <= 0.6 && p99 <= 0.8
    }
  }
}
