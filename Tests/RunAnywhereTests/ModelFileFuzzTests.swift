import GGUF
import Tensor
import TestSupport
import Testing
import Tokenizer
import Transformer

/// Model files that were damaged on purpose, loaded the whole way and run for a token.
///
/// `RA_FUZZ_SECONDS=600 swift test -c release -Xswiftc -enable-testing --filter Fuzz` runs them for ten minutes.
@Suite("Fuzzing of model files")
struct ModelFileFuzzTests {
  /// Small models of both families; between them every way in which a file is laid out.
  static func models() throws -> [[UInt8]] {
    var small = TinyModel(.llama)
    small.width = 32
    small.headWidth = 8
    small.feedForward = 64
    small.blockCount = 1
    small.matrixType = .q8_0
    small.ropeFactors = [1, 1, 2, 4]
    small.chatTemplate = TinyModel.chatML
    var qwen = small
    qwen.architecture = .qwen2
    qwen.biasDeviation = 0.5
    qwen.isTied = false
    qwen.matrixType = .f16
    qwen.ropeFactors = nil
    var wide = TinyModel.wide(.llama, .q4_K)
    wide.types = ["token_embd.weight": .q6_K, "blk.0.ffn_down.weight": .q6_K, "blk.0.attn_v.weight": .q5_0]
    return try [small.bytes(), qwen.bytes(), wide.bytes()]
  }

  @Test("A damaged model file is refused with one line or runs; it never traps, hangs or takes memory without bound")
  func damagedModels() throws {
    let mutators = try Self.models().map { GGUFMutator($0) }
    let pool = WorkerPool(threads: 1)
    var outcomes: [String: Int] = [:]
    try FuzzRun("gguf", iterations: 240).run { iteration in
      let mutator = mutators[Int(iteration % UInt64(mutators.count))]
      let outcome = try Self.open(mutator.mutated(iteration: iteration, seed: 7), pool)
      outcomes[outcome, default: 0] += 1
    }
    // The damage has to lead to every stage, or it tests nothing.
    #expect(Set(outcomes.keys).isSuperset(of: ["file", "model", "ran"]), "\(outcomes)")
    if outcomes.values.reduce(0, +) > 1000 { print("fuzzing gguf: \(outcomes.sorted { $0.key < $1.key })") }
  }

  /// Loads everything from `bytes` and runs a token. Returns the stage that refused the file, or `ran`.
  private static func open(_ bytes: [UInt8], _ pool: WorkerPool) throws -> String {
    // A mapped file begins at a page; 64 bytes are what the kernels may count on.
    let guarded = try #require(GuardedBytes(bytes[...], alignment: 64))
    var stage = "file"
    do {
      let file = try GGUFFile(storage: guarded.storage, path: "hostile.gguf")
      file.touchEverything(maximumRows: 1)
      stage = "tokenizer"
      let tokenizer = try Tokenizer(file)
      let text = "hello, wörld 🌧️ <|eot_id|>"
      _ = tokenizer.decode(tokenizer.encode(text, special: true))
      _ = tokenizer.decode(tokenizer.encode(text))
      stage = "model"
      let model = try Model(file)
      let context = try InferenceContext(
        model: model, pool: pool, contextLength: min(16, model.configuration.contextLength))
      try context.forward([0, model.configuration.vocabularySize - 1])
      _ = context.logits(at: 0).reduce(0, +)
      return "ran"
    } catch {
      let line = "\(error)"
      #expect(!line.isEmpty && line.utf8.count < 1000)
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
      return stage
    }
  }
}
