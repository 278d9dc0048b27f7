import GGUF
import JSON
import Tokenizer

/// How fast a vocabulary loads and a text is encoded and decoded.
struct TokenizerSpeed {
  let model: String
  /// The path of the text to encode.
  let text: String?

  func report() throws -> BenchReport {
    let clock = ContinuousClock()
    var open: [Double] = []
    var load: [Double] = []
    var tokenizer: Tokenizer?
    for _ in 0..<7 {
      let start = clock.now
      let file = try GGUFFile(path: model)
      let opened = clock.now
      tokenizer = try Tokenizer(file)
      open.append(seconds(opened - start))
      load.append(seconds(clock.now - opened))
    }
    var report = BenchReport(columns: ["what", "bytes", "ms", "MB/s", "tokens"])
    report.row("open file", "", fixed(median(open) * 1e3, 2), "", "")
    report.row("load tokenizer", "", fixed(median(load) * 1e3, 2), "", "")
    report["open_ms"] = .double(median(open) * 1e3)
    report["load_ms"] = .double(median(load) * 1e3)
    guard let tokenizer else { return report }

    for (name, bytes) in try texts() {
      var ids: [Int] = []
      let encode = time { ids = tokenizer.encode(bytes: bytes) }
      var decoded: [UInt8] = []
      let decode = time { decoded = tokenizer.decodeBytes(ids) }
      report.verdict = report.verdict && decoded == bytes
      let speed = Double(bytes.count) / encode / 1e6
      report.row("encode \(name)", "\(bytes.count)", fixed(encode * 1e3, 2), fixed(speed), "\(ids.count)")
      report.row("decode \(name)", "", fixed(decode * 1e3, 2), fixed(Double(bytes.count) / decode / 1e6), "")
      report["encode_mbs_\(name)"] = .double(speed)
    }
    return report
  }

  private func texts() throws -> [(name: String, bytes: [UInt8])] {
    if let text { return [("text", try BenchInput.bytes(text))] }
    let megabyte = 1 << 20
    func repeated(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8)
      return Array((0..<megabyte / bytes.count).map { _ in bytes }.joined())
    }
    return [
      ("words", madeUpWords(megabyte)),
      ("code", repeated("  for (index, value) in values.enumerated() { total += value * weights[index] } // sum\n")),
      ("chinese", repeated("今天天气很好，我们一起去公园散步吧。")),
      ("emoji", repeated("🦙👩‍👩‍👧 ")),
      ("one_letter", [UInt8](repeating: UInt8(ascii: "a"), count: megabyte)),
      ("spaces", [UInt8](repeating: UInt8(ascii: " "), count: megabyte)),
      ("line_breaks", [UInt8](repeating: UInt8(ascii: "\n"), count: megabyte)),
    ]
  }

  /// English-looking words of a fixed made-up sequence, few of them the same.
  private func madeUpWords(_ count: Int) -> [UInt8] {
    let parts = [
      "the", "in", "ter", "na", "tion", "al", "com", "put", "er", "and", "re", "search", "ing", "of", "a", "st",
    ]
    var state: UInt64 = 1
    var bytes: [UInt8] = []
    while bytes.count < count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      for index in 0...(state >> 60) % 3 { bytes += Array(parts[Int(state >> (20 + 4 * index) & 15)].utf8) }
      bytes += Array((state >> 58 & 7 == 0 ? ", " : " ").utf8)
    }
    return bytes
  }

  /// The median time of several runs, in seconds.
  private func time(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    return median((0..<5).map { _ in seconds(clock.measure(body)) })
  }

  private func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
