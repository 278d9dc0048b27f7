package import Foundation

/// Goldens and cases that lie beside the package (`../shared`) and are no part of it.
///
/// ```swift
/// @Test(.enabled(if: SharedData.isPresent, "needs the goldens in ../shared"))
/// func matchesGoldens() throws {
///   for line in try SharedData.lines("data/tokenizer/qwen2.jsonl") { … }
/// }
/// ```
package enum SharedData {
  /// The package's root.
  package static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().standardizedFileURL

  /// The folder, whether or not it exists; `RA_SHARED` overrides the place beside the package.
  package static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["RA_SHARED"], !path.isEmpty { return URL(filePath: path) }
    return packageRoot.deletingLastPathComponent().appending(path: "shared")
  }()

  /// Whether the folder is there.
  package static let isPresent = FileManager.default.fileExists(atPath: root.appending(path: "data").path)

  /// The place of a file or folder in it.
  package static func url(_ path: String) -> URL {
    root.appending(path: path)
  }

  /// The bytes of a file in it.
  package static func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: url(path)))
  }

  /// The lines of a text file in it, empty ones left out; lines end at "\n" only, as in JSON Lines.
  package static func lines(_ path: String) throws -> [String] {
    try bytes(path).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}
