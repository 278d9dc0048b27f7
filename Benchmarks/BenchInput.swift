import Arguments
import Foundation
import JSON

/// Files that measurements read.
enum BenchInput {
  /// The text of a file.
  ///
  /// - Throws: `UsageError`: a file that can't be read is nearly always a wrong path.
  static func text(_ path: String) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// The documents of a file with one JSON document a line.
  static func lines(_ path: String) throws -> [JSONValue] {
    try bytes(path).split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
      do {
        return try JSONValue(parsing: Array(line), maximumDepth: 1_000)
      } catch {
        throw UsageError("\(path): line \(index + 1) is no JSON: \(error)")
      }
    }
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("\(path): here is no file that can be read")
    }
    return [UInt8](data)
  }
}
