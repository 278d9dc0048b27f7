import Arguments
import Foundation
import JSON

/// The file of answers of a run over cases: a line a case, written as it is answered, so that a run that was ended can go on.
struct CallsOutput {
  let path: String

  /// The ids of the cases in it; none when there is no file.
  func answered() throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return Set(try BenchInput.lines(path).compactMap { $0["id"]?.stringValue })
  }

  func clear() throws { try Data().write(to: URL(filePath: path)) }

  func append(_ line: JSONValue) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data("\(line.compact)\n".utf8))
  }
}
