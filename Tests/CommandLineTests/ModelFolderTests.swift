import Foundation
import RunAnywhere
import Testing

@Suite("Model folder")
struct ModelFolderTests {
  @Test("The environment chooses the folder")
  func environment() {
    func path(_ environment: [String: String]) -> String { ModelFolder(environment: environment).url.path }
    #expect(path(["HOME": "/h"]) == "/h/.cache/runanywhere/models")
    #expect(path(["HOME": "/h", "XDG_CACHE_HOME": "/c"]) == "/c/runanywhere/models")
    #expect(path(["HOME": "/h", "XDG_CACHE_HOME": "/c", "RUNANYWHERE_MODELS": "/m"]) == "/m")
    #expect(path(["HOME": "/h", "XDG_CACHE_HOME": "", "RUNANYWHERE_MODELS": ""]) == "/h/.cache/runanywhere/models")
  }

  @Test("A name finds its file in whatever spelling, and never a wrong one")
  func names() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for name in ["SmolLM2-135M-Instruct.Q4_1.gguf", "Other.Q4_0.gguf", "Other.Q8_0.gguf", ".hidden.gguf", "notes.txt"] {
      try Data().write(to: url.appending(path: name))
    }
    let folder = ModelFolder(url: url)
    #expect(folder.files().map(\.lastPathComponent).count == 3)
    for name in ["SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2-135m-instruct-q4_1", "smollm2", "SMOLLM2-135M"] {
      #expect(folder.file(named: name)?.lastPathComponent == "SmolLM2-135M-Instruct.Q4_1.gguf", "\(name)")
    }
    #expect(folder.file(named: "other-q8-0")?.lastPathComponent == "Other.Q8_0.gguf")
    for name in ["other", "", "-", "hidden", "notes", "llama"] { #expect(folder.file(named: name) == nil, "\(name)") }
    #expect(ModelFolder(url: URL(filePath: "/nowhere")).files().isEmpty)
  }
}
