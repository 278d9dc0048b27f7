package import GGUF
package import Tensor

/// A small random model, built in memory as the bytes of a GGUF file.
///
/// ```swift
/// var tiny = TinyModel()
/// tiny.architecture = .qwen2
/// let file = try tiny.file()                    // a GGUFFile
/// let weights = file.tensor("blk.0.attn_q.weight")?.decoded()
/// ```
///
/// The same settings always give the same bytes. Weights are scaled so that activations stay near 1 at any depth. For
/// element types with blocks of 256, widths have to be multiples of 256 (``wide``).
package struct TinyModel: Sendable {
  package enum Architecture: String, Sendable {
    case llama, qwen2
  }

  package var architecture = Architecture.llama
  package var width = 64
  package var blockCount = 2
  package var heads = 4
  package var keyValueHeads = 2
  package var headWidth = 16
  package var feedForward = 128
  package var contextLength = 256
  package var ropeBase: Float = 10_000
  package var epsilon: Float = 1e-5
  /// Divisors of the rope frequencies (`rope_freqs.weight`), `headWidth / 2` of them.
  package var ropeFactors: [Float]?
  /// The type of the weight matrices; norms and biases are always F32.
  package var matrixType = ElementType.f32
  /// Exceptions by tensor name, such as `["token_embd.weight": .q8_0]`.
  package var types: [String: ElementType] = [:]
  /// Whether the token embedding is the output head as well.
  package var isTied = true
  /// Deviation of the Q, K and V biases; `nil` for none. A qwen2 model without biases isn't valid.
  package var biasDeviation: Float?
  /// Rows of the embedding beyond the vocabulary, all zeros.
  package var paddingRows = 0
  package var chatTemplate: String?
  /// Further chat templates by their names.
  package var namedTemplates: [String: String] = [:]
  package var addsBOS = true
  package var seed: UInt64 = 1
  package var vocabulary = TinyVocabulary()

  package init(_ architecture: Architecture = .llama) {
    self.architecture = architecture
    if architecture == .qwen2 {
      biasDeviation = 0.5
      addsBOS = false
    }
  }

  /// A model whose rows are 256 long, so that every element type fits.
  package static func wide(_ architecture: Architecture = .llama, _ type: ElementType = .f32) -> TinyModel {
    var tiny = TinyModel(architecture)
    tiny.width = 256
    tiny.headWidth = 64
    tiny.feedForward = 256
    tiny.blockCount = 1
    tiny.matrixType = type
    return tiny
  }

  /// A chat template of the ChatML form.
  package static let chatML = """
    {% for message in messages %}<|im_start|>{{ message.role }}
    {{ message.content }}<|im_end|>
    {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
    {% endif %}
    """

  package func bytes() throws(GGUFError) -> [UInt8] {
    try writer().bytes()
  }

  package func file() throws(GGUFError) -> GGUFFile {
    try GGUFFile(bytes: bytes())
  }

  /// The writer with everything in it, for tests that want to change something before the bytes are made.
  package func writer() throws(GGUFError) -> GGUFWriter {
    var writer = GGUFWriter()
    addMetadata(to: &writer)
    try addTensors(to: &writer)
    return writer
  }

  private func addMetadata(to writer: inout GGUFWriter) {
    let name = architecture.rawValue
    writer["general.architecture"] = .string(name)
    writer["general.name"] = .string("tiny \(name)")
    writer["\(name).context_length"] = .uint32(UInt32(contextLength))
    writer["\(name).embedding_length"] = .uint32(UInt32(width))
    writer["\(name).block_count"] = .uint32(UInt32(blockCount))
    writer["\(name).feed_forward_length"] = .uint32(UInt32(feedForward))
    writer["\(name).attention.head_count"] = .uint32(UInt32(heads))
    writer["\(name).attention.head_count_kv"] = .uint32(UInt32(keyValueHeads))
    if headWidth * heads != width {
      writer["\(name).attention.key_length"] = .uint32(UInt32(headWidth))
      writer["\(name).attention.value_length"] = .uint32(UInt32(headWidth))
    }
    writer["\(name).rope.freq_base"] = .float32(ropeBase)
    writer["\(name).attention.layer_norm_rms_epsilon"] = .float32(epsilon)
    if architecture == .llama {
      writer["llama.rope.dimension_count"] = .uint32(UInt32(headWidth))
      writer["llama.vocab_size"] = .uint32(UInt32(vocabulary.tokens.count + paddingRows))
    }
    let isLlama = architecture == .llama
    writer["tokenizer.ggml.model"] = .string("gpt2")
    writer["tokenizer.ggml.pre"] = .string(isLlama ? "llama-bpe" : "qwen2")
    writer["tokenizer.ggml.tokens"] = .strings(vocabulary.tokens)
    writer["tokenizer.ggml.token_type"] = .int32s(vocabulary.types)
    writer["tokenizer.ggml.merges"] = .strings(vocabulary.merges)
    for (key, spelling) in [
      ("bos", isLlama ? "<|begin_of_text|>" : "<|endoftext|>"), ("eos", isLlama ? "<|eot_id|>" : "<|im_end|>"),
    ] {
      if let id = vocabulary.id(spelling) { writer["tokenizer.ggml.\(key)_token_id"] = .uint32(UInt32(id)) }
    }
    writer["tokenizer.ggml.add_bos_token"] = .bool(addsBOS)
    if let chatTemplate { writer["tokenizer.chat_template"] = .string(chatTemplate) }
    for (name, template) in namedTemplates.sorted(by: { $0.key < $1.key }) {
      writer["tokenizer.chat_template.\(name)"] = .string(template)
    }
  }

  private func addTensors(to writer: inout GGUFWriter) throws(GGUFError) {
    var generator = SeededGenerator(seed: seed)
    let (queryWidth, keyWidth) = (heads * headWidth, keyValueHeads * headWidth)
    func type(_ name: String) -> ElementType { types[name] ?? matrixType }
    func addMatrix(_ name: String, _ columns: Int, _ rows: Int, padding: Int = 0) throws(GGUFError) {
      let deviation = 1 / Float(columns).squareRoot()
      let floats =
        generator.gaussians(columns * rows, deviation: deviation) + [Float](repeating: 0, count: columns * padding)
      try writer.addTensor(name, type: type(name), dimensions: [columns, rows + padding], floats: floats)
    }
    func addVector(_ name: String, _ count: Int, around center: Float, deviation: Float) throws(GGUFError) {
      try writer.addTensor(name, floats: generator.gaussians(count, deviation: deviation).map { $0 + center })
    }
    try addMatrix("token_embd.weight", width, vocabulary.tokens.count, padding: paddingRows)
    if let ropeFactors { try writer.addTensor("rope_freqs.weight", floats: ropeFactors) }
    for block in 0..<blockCount {
      let prefix = "blk.\(block)."
      try addVector(prefix + "attn_norm.weight", width, around: 1, deviation: 0.1)
      for (name, rows) in [("attn_q", queryWidth), ("attn_k", keyWidth), ("attn_v", keyWidth)] {
        try addMatrix("\(prefix)\(name).weight", width, rows)
        if let biasDeviation {
          try addVector("\(prefix)\(name).bias", rows, around: 0, deviation: biasDeviation)
        }
      }
      try addMatrix(prefix + "attn_output.weight", queryWidth, width)
      try addVector(prefix + "ffn_norm.weight", width, around: 1, deviation: 0.1)
      try addMatrix(prefix + "ffn_gate.weight", width, feedForward)
      try addMatrix(prefix + "ffn_up.weight", width, feedForward)
      try addMatrix(prefix + "ffn_down.weight", feedForward, width)
    }
    try addVector("output_norm.weight", width, around: 1, deviation: 0.1)
    if !isTied { try addMatrix("output.weight", width, vocabulary.tokens.count, padding: paddingRows) }
  }
}
