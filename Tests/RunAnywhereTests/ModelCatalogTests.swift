import Foundation
import RunAnywhere
import Testing

@Suite("Finding models")
struct ModelCatalogTests {
  private func withFolder(_ files: [String], _ body: (ModelCatalog, URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    for file in files { try Data("x".utf8).write(to: url.appending(path: file)) }
    try body(ModelCatalog(folder: ModelFolder(url: url)), url)
  }

  @Test(
    "ids and aliases find files",
    arguments: [
      ("smollm2-135m-instruct", "SmolLM2-135M-Instruct.Q4_1.gguf"),
      ("llama-3.2-1b-instruct-q4", "Llama-3.2-1B-Instruct-Q4_K_M.gguf"),
      ("llama-3.2-1b-instruct-q4", "llama-3.2-1b-instruct-q4_0.gguf"),
      ("SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct.Q4_1.gguf"),
    ])
  func names(_ id: String, _ file: String) throws {
    try withFolder([file, "other.gguf"]) { (catalog, url) throws -> Void in
      #expect(try catalog.path(of: id) == url.appending(path: file).path)
    }
  }

  @Test("files added by hand come first; paths are paths; the rest is told")
  func others() throws {
    try withFolder(["there.gguf"]) { (catalog, url) throws -> Void in
      catalog.add("mine", path: "/somewhere/x.gguf")
      #expect(try catalog.path(of: "mine") == "/somewhere/x.gguf")
      #expect(try catalog.path(of: url.appending(path: "there.gguf").path).hasSuffix("there.gguf"))
      #expect(catalog.models.map(\.id) == ["mine", "there"])
      do throws(SDKError) {
        _ = try catalog.path(of: "nosuch")
        Issue.record("no error")
      } catch {
        #expect(error.code == .modelNotFound)
        for part in ["nosuch", url.path, "there.gguf", "ra-run pull"] { #expect(error.message.contains(part)) }
      }
      do throws(SDKError) {
        _ = try catalog.path(of: "")
        Issue.record("no error")
      } catch {
        #expect(error.code == .invalidInput)
      }
    }
  }

  @Test("a path without a file, to a folder, or empty, has its code")
  func paths() async throws {
    let folder = FileManager.default.temporaryDirectory.path
    let codes: [(String, SDKError.ErrorCode)] = [
      ("/no/such/model.gguf", .modelNotFound), (folder, .modelLoadFailed), ("", .invalidInput),
    ]
    for (path, code) in codes {
      let error = await #expect(throws: SDKError.self) { try await LanguageModel(path: path) }
      #expect(error?.code == code, "\(path)")
    }
  }

  @Test("a file that is no model is refused with its reason")
  func refused() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "no-model-\(UUID()).gguf")
    try Data("version https://git-lfs.github.com/spec/v1\n".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    await #expect(throws: SDKError.self) { try await LanguageModel(path: url.path) }
    do { _ = try await LanguageModel(path: url.path) } catch {
      #expect((error as? SDKError)?.code == .invalidModelFormat)
      #expect((error as? SDKError)?.message.contains("\n") == false)
    }
  }
}
