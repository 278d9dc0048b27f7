package import Foundation

/// The files that `../shared/cases/gguf_cases.py` makes: one valid model (`base.gguf`), and copies with one change each.
package struct GGUFCases {
  /// Whether the script and a Python to run it are there.
  package static let areAvailable =
    SharedData.isPresent && FileManager.default.isExecutableFile(atPath: python)
    && FileManager.default.fileExists(atPath: SharedData.url("cases/gguf_cases.py").path)

  private static let python = "/usr/bin/python3"

  /// A temporary folder with the files; ``remove()`` deletes it.
  package let folder: URL
  /// The files' names without their extension, in alphabetical order.
  package let names: [String]

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "gguf-cases-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(filePath: Self.python)
    process.arguments = [SharedData.url("cases/gguf_cases.py").path, folder.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { String($0.dropLast(5)) }
  }

  package func path(_ name: String) -> String { folder.appending(path: "\(name).gguf").path }

  package func remove() { try? FileManager.default.removeItem(at: folder) }
}
