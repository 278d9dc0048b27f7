package import Foundation

/// Where downloaded models lie, and how a name finds one of them.
///
/// `RUNANYWHERE_MODELS`, else `runanywhere/models` in `XDG_CACHE_HOME`, else in `~/.cache`.
package struct ModelFolder: Sendable, Equatable {
  package let url: URL

  /// The folder that an environment chooses.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let path = variable("RUNANYWHERE_MODELS") {
      url = URL(filePath: path)
    } else {
      let home = variable("HOME") ?? NSHomeDirectory()
      let cache = variable("XDG_CACHE_HOME") ?? home + "/.cache"
      url = URL(filePath: cache).appending(path: "runanywhere/models")
    }
  }

  package init(url: URL) {
    self.url = url
  }

  /// The model files in the folder, by name.
  package func files() -> [URL] {
    let found = (try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)) ?? []
    return found.filter { $0.pathExtension.lowercased() == "gguf" && !$0.lastPathComponent.hasPrefix(".") }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// The file that `name` stands for: its file name, with or without `.gguf`, in whatever case, with any signs between
  /// the words; or the beginning of exactly one of them.
  ///
  /// ```swift
  /// folder.file(named: "smollm2-135m-instruct-q4_1")     // …/SmolLM2-135M-Instruct.Q4_1.gguf
  /// ```
  package func file(named name: String) -> URL? {
    let wanted = Self.plain(name)
    guard !wanted.isEmpty else { return nil }
    let files = files()
    if let exact = files.first(where: { Self.plain($0.lastPathComponent) == wanted }) { return exact }
    let longer = files.filter { Self.plain($0.lastPathComponent).hasPrefix(wanted) }
    return longer.count == 1 ? longer.first : nil
  }

  /// Whether `name` could stand for the file `fileName`.
  package static func matches(_ name: String, fileName: String) -> Bool {
    let wanted = plain(name)
    return !wanted.isEmpty && plain(fileName).hasPrefix(wanted)
  }

  /// Letters and digits of a name in lower case, its `.gguf` dropped.
  private static func plain(_ name: String) -> String {
    let lower = name.lowercased()
    let stem = lower.hasSuffix(".gguf") ? String(lower.dropLast(5)) : lower
    return String(stem.unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
  }
}
