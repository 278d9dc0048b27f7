import GGUF
import Tensor

/// A model of the `llama` architecture with random weights.
struct SynthModel {
  let shape: SynthShape
  let quantization: SynthQuantization
  /// A file whose tokenizer is copied; a made-up one if there is none.
  let vocabulary: GGUFFile?
  let seed: UInt64

  func writer() throws -> GGUFWriter {
    var writer = GGUFWriter()
    let rows = try addTokenizer(to: &writer)
    addConfiguration(to: &writer, rows: rows)
    try addTensors(to: &writer, rows: rows)
    return writer
  }

  private func addConfiguration(to writer: inout GGUFWriter, rows: Int) {
    writer["general.architecture"] = .string("llama")
    writer["general.name"] = .string("\(shape.name) with random weights")
    writer["general.file_type"] = .uint32(quantization.fileType)
    writer["general.quantization_version"] = .uint32(2)
    let sizes = [
      ("context_length", shape.contextLength), ("embedding_length", shape.width), ("block_count", shape.blocks),
      ("feed_forward_length", shape.feedForward), ("attention.head_count", shape.heads),
      ("attention.head_count_kv", shape.keyValueHeads), ("attention.key_length", shape.headWidth),
      ("attention.value_length", shape.headWidth), ("rope.dimension_count", shape.headWidth), ("vocab_size", rows),
    ]
    for (key, size) in sizes { writer["llama.\(key)"] = .uint32(UInt32(clamping: size)) }
    writer["llama.rope.freq_base"] = .float32(Float(shape.ropeBase))
    writer["llama.attention.layer_norm_rms_epsilon"] = .float32(1e-5)
  }

  /// Adds the tokenizer's keys and returns how many tokens it has.
  private func addTokenizer(to writer: inout GGUFWriter) throws -> Int {
    guard let vocabulary else {
      let made = SynthVocabulary(count: shape.vocabulary)
      made.add(to: &writer)
      return made.tokens.count
    }
    for key in vocabulary.metadata.keys where key.hasPrefix("tokenizer.") {
      writer[key] = vocabulary.metadata[key].map(GGUFWriter.Value.value)
    }
    guard let tokens = try vocabulary.metadata.strings("tokenizer.ggml.tokens") else {
      throw GGUFError(
        .invalidMetadata, .key("tokenizer.ggml.tokens"), reason: "the vocabulary file has none", path: vocabulary.path)
    }
    return tokens.count
  }

  private func addTensors(to writer: inout GGUFWriter, rows: Int) throws {
    var pools: [ElementType: SynthWeights] = [:]
    func addMatrix(_ name: String, _ type: ElementType, _ columns: Int, _ rows: Int) throws {
      // One over the square root of the width keeps activations near 1 from layer to layer.
      let deviation = 1 / Float(shape.width).squareRoot()
      let pool = pools[type] ?? SynthWeights(type: type, seed: seed, deviation: deviation)
      pools[type] = pool
      let tensor = UInt64(truncatingIfNeeded: name.utf8.reduce(5381) { $0 &* 33 &+ Int($1) })
      try writer.addTensor(name, type: type, dimensions: [columns, rows]) { row, bytes in
        pool.fill(bytes, seed: seed ^ tensor &+ UInt64(row))
      }
    }
    func addOnes(_ name: String) throws {
      try writer.addTensor(name, floats: [Float](repeating: 1, count: shape.width))
    }
    let (queryWidth, keyWidth) = (shape.heads * shape.headWidth, shape.keyValueHeads * shape.headWidth)
    try addMatrix("token_embd.weight", quantization.tiedEmbedding, shape.width, rows)
    try writer.addTensor("rope_freqs.weight", floats: shape.ropeFactors)
    for block in 0..<shape.blocks {
      let prefix = "blk.\(block)."
      func addBlockMatrix(_ name: String, _ columns: Int, _ rows: Int) throws {
        let type = quantization.type(of: name, block: block, of: shape.blocks)
        try addMatrix("\(prefix)\(name).weight", type, columns, rows)
      }
      try addOnes(prefix + "attn_norm.weight")
      try addBlockMatrix("attn_q", shape.width, queryWidth)
      try addBlockMatrix("attn_k", shape.width, keyWidth)
      try addBlockMatrix("attn_v", shape.width, keyWidth)
      try addBlockMatrix("attn_output", queryWidth, shape.width)
      try addOnes(prefix + "ffn_norm.weight")
      try addBlockMatrix("ffn_gate", shape.width, shape.feedForward)
      try addBlockMatrix("ffn_up", shape.width, shape.feedForward)
      try addBlockMatrix("ffn_down", shape.feedForward, shape.width)
    }
    try addOnes("output_norm.weight")
  }
}
