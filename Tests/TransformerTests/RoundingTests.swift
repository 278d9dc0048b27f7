import GGUF
import TestSupport
import Testing

@testable import Tensor
@testable import Transformer

/// Why quantised logits move with the chunk length although a token's rounding doesn't depend on its chunk.
///
/// For the same activations both routes of a product, row by row and in panels, use the same 8-bit steps; their results
/// differ by the order of float sums alone (`MatMulTests`). What that makes of the next activations tips some of them to
/// the neighbouring step. If that is all, then a disturbance of the size of float rounding moves the logits of *one*
/// route as far, and without 8-bit steps (the exact path) it moves them a thousand times less.
@Suite struct RoundingTests {
  private static func tiny() -> TinyModel {
    var tiny = TinyModel.wide(.llama, .q4_K)
    tiny.blockCount = 2
    return tiny
  }

  /// The tiny model with each norm weight changed by up to two units in its last place, at random.
  private static func disturbed(seed: UInt64) throws -> Model {
    var generator = SeededGenerator(seed: seed)
    let tiny = tiny()
    let file = try tiny.file()
    var edited = try EditedModel(tiny)
    for info in file.tensors where info.name.hasSuffix("_norm.weight") {
      guard let tensor = file.tensor(info.name) else { continue }
      let weights = tensor.decoded().map {
        $0 + $0.ulp * Float(Int.random(in: -2...2, using: &generator))
      }
      edited.set(info.name, info.dimensions, weights)
    }
    return try edited.model()
  }

  private static func logits(_ model: Model, _ precision: Precision, chunk: Int) throws -> [[Float]] {
    try InferenceContext(model: model, pool: WorkerPool(threads: 2), precision: precision, chunkLength: chunk)
      .run(tokens(70))
  }

  @Test func chunksMoveLogitsNoFurtherThanFloatNoise() throws {
    let model = try Model(Self.tiny().file())
    var (chunks, noise, exactNoise) = (0.0, 0.0, 0.0)
    let whole = try Self.logits(model, .quantized, chunk: 70)
    let exact = try Self.logits(model, .exact, chunk: 70)
    for chunk in [1, 7, 32] {
      chunks = max(chunks, distance(try Self.logits(model, .quantized, chunk: chunk), whole))
    }
    for seed in 1...6 {
      let disturbed = try Self.disturbed(seed: UInt64(seed))
      noise = max(noise, distance(try Self.logits(disturbed, .quantized, chunk: 70), whole))
      exactNoise = max(exactNoise, distance(try Self.logits(disturbed, .exact, chunk: 70), exact))
    }
    print("logits move by \(chunks) with the chunk length, by \(noise) with float noise, by \(exactNoise) when exact")
    #expect(chunks < 2 * noise)
    #expect(exactNoise < 2e-5)
    #expect(noise > 100 * exactNoise)
  }
}
