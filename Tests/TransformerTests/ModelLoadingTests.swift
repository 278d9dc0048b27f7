import GGUF
import Tensor
import TestSupport
import Testing

@testable import Transformer

/// Files that have to be refused, with an error that names key or tensor.
@Suite struct ModelLoadingTests {
  @Test func configurationIsRead() throws {
    let configuration = try Model(TinyModel().file()).configuration
    #expect(configuration.architecture == "llama")
    #expect(configuration.embeddingLength == 64)
    #expect(configuration.headCount == 4)
    #expect(configuration.keyValueHeadCount == 2)
    #expect(configuration.keyLength == 16)
    #expect(configuration.contextLength == 256)
    #expect(configuration.ropePairing == .interleaved)
  }

  @Test(arguments: [
    "context_length", "embedding_length", "block_count", "feed_forward_length", "attention.head_count",
    "attention.head_count_kv", "rope.freq_base", "attention.layer_norm_rms_epsilon", "attention.key_length",
    "attention.value_length",
  ])
  func absurdNumbers(key: String) throws {
    for value: GGUFWriter.Value in [
      .uint32(0), .int32(-1), .uint64(.max), .float32(.nan), .float32(-.infinity), .string("64"),
    ] {
      var edited = try EditedModel()
      edited["llama.\(key)"] = value
      let error = try #require(try edited.refusal(), "\(key) \(value)")
      #expect(error.description.contains("llama.\(key)"), "\(error)")
      #expect(!error.description.contains("\n"))
    }
  }

  @Test(arguments: [
    "general.architecture", "llama.context_length", "llama.embedding_length", "llama.block_count",
    "llama.feed_forward_length", "llama.attention.head_count", "llama.attention.layer_norm_rms_epsilon",
  ])
  func missingKeys(key: String) throws {
    var edited = try EditedModel()
    edited[key] = nil
    #expect(try edited.refusal() == .missingKey(key))
  }

  @Test func defaultsOfOptionalKeys() throws {
    var tiny = TinyModel()
    tiny.keyValueHeads = 4
    var edited = try EditedModel(tiny)
    edited["llama.attention.head_count_kv"] = nil
    edited["llama.rope.freq_base"] = nil
    edited["llama.rope.dimension_count"] = nil
    let configuration = try edited.model().configuration
    #expect(configuration.keyValueHeadCount == 4)
    #expect(configuration.ropeBase == 10_000)
  }

  @Test func contradictions() throws {
    for (key, value) in [
      ("attention.head_count_kv", 3), ("attention.head_count", 5), ("rope.dimension_count", 8), ("expert_count", 8),
    ] {
      var edited = try EditedModel()
      edited["llama.\(key)"] = .uint32(UInt32(value))
      let error = try #require(try edited.refusal(), "\(key)")
      #expect(error.description.contains("llama.\(key)") || error.description.contains("attention"), "\(error)")
    }
    var edited = try EditedModel()
    edited["llama.rope.scaling.type"] = .string("yarn")
    #expect(try edited.refusal()?.description.contains("rope.scaling.type") == true)
  }

  @Test func linearRopeScalingDividesPositions() throws {
    var edited = try EditedModel()
    edited["llama.rope.scaling.type"] = .string("linear")
    edited["llama.rope.scaling.factor"] = .float32(4)
    let scaled = try edited.model().ropeFrequencies
    #expect(scaled == (try Model(TinyModel().file()).ropeFrequencies.map { $0 / 4 }))
  }

  @Test func unknownArchitecture() throws {
    var edited = try EditedModel()
    edited["general.architecture"] = .string("mamba")
    #expect(try edited.refusal() == .unsupportedArchitecture("mamba", supported: ["llama", "qwen2"]))
  }

  @Test(arguments: [TinyModel.Architecture.llama, .qwen2])
  func everyTensorIsNeededAndChecked(architecture: TinyModel.Architecture) throws {
    let tiny = TinyModel(architecture)
    for info in try tiny.file().tensors {
      var without = try EditedModel(tiny)
      without.remove(info.name)
      guard case .missingTensor(info.name, _) = try without.refusal() else {
        Issue.record("\(info.name): \(String(describing: try without.refusal()))")
        continue
      }
      var shorter = try EditedModel(tiny)
      var dimensions = info.dimensions
      dimensions[0] -= 1
      shorter.set(info.name, dimensions)
      let error = try #require(try shorter.refusal(), "\(info.name)")
      #expect(error.description.contains("\"\(info.name)\""), "\(error)")
      #expect(error.description.contains(dimensions.map(String.init).joined(separator: " x ")), "\(error)")
    }
  }

  @Test func headOfAnotherSize() throws {
    var edited = try EditedModel()
    edited.set("output.weight", [64, 7])
    guard case .shape("output.weight", _, [64, 7]) = try edited.refusal() else {
      Issue.record("a head of another size was accepted")
      return
    }
  }

  /// Case 17: 8 factors belong to a head width of 16.
  @Test func ropeFactorsOfAnotherHeadWidth() throws {
    var edited = try EditedModel()
    edited.set("rope_freqs.weight", [32], value: 1)
    #expect(try edited.refusal() == .shape(tensor: "rope_freqs.weight", expected: [8], found: [32]))
    for value in [Float(0), -1, .nan, .infinity] {
      edited.set("rope_freqs.weight", [8], value: value)
      #expect(try edited.refusal()?.description.contains("rope_freqs.weight") == true)
    }
  }

  /// Case 20: without its biases a qwen2 model talks nonsense.
  @Test func qwenWithoutBiases() throws {
    var tiny = TinyModel(.qwen2)
    tiny.biasDeviation = nil
    let error = try EditedModel(tiny).refusal()
    #expect(
      error?.description
        == "tensor \"blk.0.attn_q.bias\" is missing; qwen2 models don't work without it")
  }
}
