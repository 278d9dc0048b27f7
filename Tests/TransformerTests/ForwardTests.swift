import GGUF
import Tensor
import TestSupport
import Testing

@testable import Transformer

/// The engine against a double-precision forward pass.
@Suite struct ForwardTests {
  /// Models that differ in what the decoder has to get right.
  static let variants: [(name: String, tiny: TinyModel)] = {
    var own = TinyModel()
    own.isTied = false
    var multiQuery = TinyModel(.qwen2)
    (multiQuery.heads, multiQuery.keyValueHeads, multiQuery.headWidth) = (6, 1, 10)
    var allHeads = TinyModel()
    allHeads.keyValueHeads = 4
    var narrow = TinyModel()
    narrow.headWidth = 8
    var wideHeads = TinyModel(.qwen2)
    (wideHeads.heads, wideHeads.keyValueHeads, wideHeads.headWidth) = (3, 3, 40)
    var factors = TinyModel()
    factors.ropeFactors = [1, 1, 1, 2, 4, 8, 32, 32]
    var padded = TinyModel(.qwen2)
    padded.paddingRows = 13
    return [
      ("llama", TinyModel()), ("qwen2", TinyModel(.qwen2)), ("own head", own), ("one key head", multiQuery),
      ("as many key heads", allHeads), ("narrow heads", narrow), ("wide heads", wideHeads), ("rope factors", factors),
      ("padded", padded),
    ]
  }()

  @Test(arguments: variants.map(\.name))
  func exactMatchesReference(name: String) throws {
    let tiny = try #require(Self.variants.first { $0.name == name }).tiny
    let file = try tiny.file()
    let ids = tokens(40)
    let expected = try ReferenceModel(file).logits(ids)
    let model = try Model(file)
    for kernels in ForwardKernels.available {
      let context = try context(model, chunk: 16, kernels: kernels)
      #expect(distance(try context.run(ids), expected) < 1e-4, "\(kernels) prefill")
      context.rewind(to: 0)
      let single = try ids.map { try context.run([$0])[0] }
      #expect(distance(single, expected) < 1e-4, "\(kernels) decode")
    }
  }

  @Test(arguments: ElementType.allCases)
  func everyElementTypeMatchesReference(type: ElementType) throws {
    var tiny = TinyModel.wide(.llama, type)
    tiny.blockCount = 1
    let file = try tiny.file()
    let ids = tokens(9)
    let expected = try ReferenceModel(file).logits(ids)
    let exact = try context(Model(file)).run(ids)
    #expect(distance(exact, expected) < 2e-4)
    // 8-bit activations: an error of about a hundredth of the logits' spread.
    let quantized = try context(Model(file), precision: .quantized).run(ids)
    #expect(distance(quantized, expected) < 0.25)
  }

  @Test func mixedElementTypes() throws {
    var tiny = TinyModel.wide(.qwen2, .q4_K)
    tiny.types = [
      "token_embd.weight": .q6_K, "blk.0.attn_q.weight": .f16, "blk.0.attn_k.weight": .bf16,
      "blk.0.attn_v.weight": .q8_0, "blk.0.ffn_down.weight": .q5_0, "blk.1.attn_q.weight": .f32,
    ]
    let file = try tiny.file()
    let ids = tokens(12)
    #expect(distance(try context(Model(file)).run(ids), try ReferenceModel(file).logits(ids)) < 2e-4)
  }

  /// Beyond one block of the cache.
  @Test func longContextMatchesReference() throws {
    var tiny = TinyModel()
    (tiny.contextLength, tiny.blockCount) = (400, 1)
    let file = try tiny.file()
    let ids = tokens(300)
    let expected = try ReferenceModel(file).logits(ids)
    let exact = try context(Model(file), chunk: 200)
    #expect(distance(try exact.run(ids), expected) < 1e-4)
    let halves = try context(Model(file), precision: .quantized, chunk: 200)
    #expect(distance(try halves.run(ids), expected) < 0.02)
    halves.rewind(to: 299)
    #expect(distance(try halves.run([ids[299]]), [expected[299]]) < 0.02)
  }

  /// Case 20: large biases, and pairs that lie half a head apart.
  @Test func largeBiases() throws {
    var tiny = TinyModel(.qwen2)
    tiny.biasDeviation = 20
    let file = try tiny.file()
    let ids = tokens(20)
    #expect(distance(try context(Model(file)).run(ids), try ReferenceModel(file).logits(ids)) < 1e-3)
  }

  /// Case 17: factors divide the frequencies, so that position 0 is the plain model's and later ones are not.
  @Test func ropeFactorsChangeLaterPositionsOnly() throws {
    var tiny = TinyModel()
    let plain = try context(Model(tiny.file()))
    tiny.ropeFactors = [1, 1, 1, 2, 4, 8, 32, 32]
    let model = try Model(tiny.file())
    #expect(model.hasRopeFactors)
    let scaled = try context(model)
    let ids = tokens(200)
    let (without, with) = (try plain.run(ids), try scaled.run(ids))
    #expect(without[0] == with[0])
    #expect(distance([without[199]], [with[199]]) > 1e-3)
  }
}
