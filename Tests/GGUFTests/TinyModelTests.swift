import GGUF
import Tensor
import TestSupport
import Testing

@Suite("The tiny model")
struct TinyModelTests {
  @Test("Both families, every element type", arguments: [TinyModel.Architecture.llama, .qwen2], ElementType.allCases)
  func opens(architecture: TinyModel.Architecture, type: ElementType) throws {
    let file = try TinyModel.wide(architecture, type).file()
    #expect(try file.metadata.string("general.architecture") == architecture.rawValue)
    #expect(file.tensor("blk.0.ffn_down.weight")?.dimensions == [256, 256])
    #expect(file.tensor("blk.0.ffn_down.weight")?.type == type)
    #expect(file.tensor("blk.0.attn_norm.weight")?.type == .f32)
    #expect((file.tensor("blk.0.attn_q.bias") != nil) == (architecture == .qwen2))
  }

  @Test("Same settings, same bytes; another seed, other bytes")
  func determinism() throws {
    var other = TinyModel()
    other.seed = 2
    #expect(try TinyModel().bytes() == TinyModel().bytes())
    #expect(try TinyModel().bytes() != other.bytes())
  }

  @Test("Options")
  func options() throws {
    var tiny = TinyModel()
    tiny.isTied = false
    tiny.ropeFactors = [1, 1, 1, 2, 4, 8, 32, 32]
    tiny.types = ["output.weight": .q8_0]
    tiny.paddingRows = 3
    tiny.chatTemplate = TinyModel.chatML
    let file = try tiny.file()
    #expect(file.tensor("rope_freqs.weight")?.decoded() == tiny.ropeFactors)
    #expect(file.tensor("output.weight")?.type == .q8_0)
    #expect(file.tensor("token_embd.weight")?.rows == tiny.vocabulary.tokens.count + 3)
    #expect(try file.metadata.string("tokenizer.chat_template") == TinyModel.chatML)
    #expect(Set(tiny.vocabulary.tokens.map { Array($0.utf8) }).count == tiny.vocabulary.tokens.count)
  }
}
