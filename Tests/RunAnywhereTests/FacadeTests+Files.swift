import Foundation
import RunAnywhere
import TestSupport
import Testing

extension FacadeTests {
  @Test(
    "a file that can't be used is refused with the tensor or key and the reason; what was loaded before stays",
    arguments: [
      ("general.architecture", "llama", "mamba", SDKError.ErrorCode.modelIncompatible, "mamba"),
      ("", "llama.block_count", "llama.black_count", .invalidModelFormat, "llama.block_count"),
      ("", "blk.1.attn_q.weight", "blk.1.attn_x.weight", .invalidModelFormat, "blk.1.attn_q.weight"),
      ("", "tokenizer.ggml.tokens", "tokenizer.ggml.takens", .invalidModelFormat, "tokenizer.ggml.tokens"),
      ("", "GGUF", "Good", .invalidModelFormat, "not a GGUF file"),
    ])
  func refusedFiles(
    _ behind: String, _ text: String, _ damage: String, _ code: SDKError.ErrorCode, _ reason: String
  ) async throws {
    var bytes = Data(try TinyModel().bytes())
    let start = behind.isEmpty ? bytes.startIndex : try #require(bytes.firstRange(of: Data(behind.utf8))).upperBound
    bytes.replaceSubrange(
      try #require(bytes[start...].firstRange(of: Data(text.utf8))), with: Data(damage.utf8))
    let file = FileManager.default.temporaryDirectory.appending(path: "refused-\(UUID().uuidString).gguf")
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    await RunAnywhere.use(LanguageModel(engine: .saying("Still here.")))
    let error = await failure { try await RunAnywhere.loadModel(modelId: file.path) }
    #expect(error?.code == code && error?.message.contains(reason) == true, "\(String(describing: error))")
    #expect(try await RunAnywhere.chat("q") == "Still here.")
  }
}
