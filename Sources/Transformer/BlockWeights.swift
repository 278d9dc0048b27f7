import Tensor

/// The weights of one decoder block. Matrices stay in the mapped file; vectors are decoded.
struct BlockWeights: Sendable {
  let attentionNorm: FloatVector
  let query: Tensor
  let key: Tensor
  let value: Tensor
  let queryBias: FloatVector?
  let keyBias: FloatVector?
  let valueBias: FloatVector?
  let attentionOutput: Tensor
  let attentionOutputBias: FloatVector?
  let feedForwardNorm: FloatVector
  let gate: Tensor
  let up: Tensor
  let down: Tensor

  init(
    block index: Int, of loader: WeightLoader, _ configuration: ModelConfiguration, family: ModelFamily
  ) throws(ModelError) {
    let (width, inner) = (configuration.embeddingLength, configuration.feedForwardLength)
    func matrix(_ name: String, _ columns: Int, _ rows: Int) throws(ModelError) -> Tensor {
      try loader.matrix(
        "blk.\(index).\(name).weight", columns: columns, rows: rows,
        neededFor: "every one of the \(configuration.blockCount) blocks needs it")
    }
    func norm(_ name: String) throws(ModelError) -> FloatVector {
      try loader.vector(
        "blk.\(index).\(name).weight", count: width,
        neededFor: "every one of the \(configuration.blockCount) blocks needs it")
    }
    func bias(_ name: String, _ count: Int) throws(ModelError) -> FloatVector? {
      let name = "blk.\(index).\(name).bias"
      guard family.requiresAttentionBias else { return try loader.optionalVector(name, count: count) }
      return try loader.vector(name, count: count, neededFor: "\(family.name) models don't work without it")
    }
    attentionNorm = try norm("attn_norm")
    query = try matrix("attn_q", width, configuration.queryWidth)
    key = try matrix("attn_k", width, configuration.keyWidth)
    value = try matrix("attn_v", width, configuration.valueWidth)
    queryBias = try bias("attn_q", configuration.queryWidth)
    keyBias = try bias("attn_k", configuration.keyWidth)
    valueBias = try bias("attn_v", configuration.valueWidth)
    attentionOutput = try matrix("attn_output", configuration.attentionWidth, width)
    attentionOutputBias = try loader.optionalVector("blk.\(index).attn_output.bias", count: width)
    feedForwardNorm = try norm("ffn_norm")
    gate = try matrix("ffn_gate", width, inner)
    up = try matrix("ffn_up", width, inner)
    down = try matrix("ffn_down", inner, width)
  }
}
