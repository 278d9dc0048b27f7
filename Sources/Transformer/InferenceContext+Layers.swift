import Tensor

/// The layers of the decoder: what happens to one chunk of tokens.
///
/// The pointers of this file are those of ``Workspace``, whose rows are `first ..< tokens` of the chunk; parallel regions
/// split them by tokens, so no row is written by two workers.
extension InferenceContext {
  /// Runs one chunk through all blocks, and its last `wanted` tokens through the output head, or through the rows of it
  /// only that `ids` then names.
  func run(
    _ tokens: ArraySlice<Int>, wanted: Int, ids: () throws(ModelError) -> [Int]?,
    into logits: UnsafeMutablePointer<Float>,
    isCancelled: () -> Bool
  ) throws(ModelError) {
    let (count, position) = (tokens.count, self.count)
    workspace.reserve(tokens: count)
    rope.fill(first: position, count: count)
    embed(tokens)
    var first = 0
    for (index, block) in model.blocks.enumerated() {
      if isCancelled() { throw .cancelled }
      let isLast = index == model.blocks.count - 1
      normalize(first..<count, adding: index > 0, weight: block.attentionNorm)
      // The last block's keys and values are for later tokens; everything else in it is for the wanted ones only.
      if isLast { first = count - wanted }
      attend(first..<count, of: count, position: position, block: index)
      guard first < count else { return }
      normalize(first..<count, adding: true, weight: block.feedForwardNorm)
      feedForward(first..<count, block: block)
    }
    normalize(first..<count, adding: true, weight: model.outputNorm)
    computeLogits(first..<count, ids: try ids(), into: logits)
  }

  private func embed(_ tokens: ArraySlice<Int>) {
    let width = model.configuration.embeddingLength
    let residual = workspace.residual
    forEachToken(0..<tokens.count) { token in
      model.embedding.decodeRow(tokens[tokens.startIndex + token], into: residual + token * width)
    }
  }

  /// Adds the last sublayer's result to the residual and normalises the sum.
  private func normalize(_ tokens: Range<Int>, adding: Bool, weight: FloatVector) {
    let width = model.configuration.embeddingLength
    let epsilon = Float(model.configuration.normEpsilon)
    let (residual, delta, out) = (workspace.residual, workspace.delta, workspace.normalized)
    forEachToken(tokens) { token in
      let at = token * width
      kernels.rmsNorm(
        residual + at, adding: adding ? UnsafePointer(delta + at) : nil, weight: weight.pointer, count: width,
        epsilon: epsilon, into: out + at)
    }
  }

  /// Keys and values of all `count` tokens; queries, attention and output projection of `tokens`.
  private func attend(_ tokens: Range<Int>, of count: Int, position: Int, block index: Int) {
    let c = model.configuration
    let (block, cache) = (model.blocks[index], cache.layer(index))
    let balance = balances.isEmpty ? nil : balances[index]
    let (queries, keys, values) = (workspace.queries, workspace.keys, workspace.values)
    if tokens.lowerBound == 0 {
      matmul.matmul(
        [block.query, block.key, block.value], input: workspace.normalized, tokens: count,
        outputs: [queries, keys, values], precision: precision)
    } else {
      matmul.matmul(
        [block.key, block.value], input: workspace.normalized, tokens: count, outputs: [keys, values],
        precision: precision)
      if !tokens.isEmpty {
        matmul.matmul(
          [block.query], input: workspace.normalized + tokens.lowerBound * c.embeddingLength, tokens: tokens.count,
          outputs: [queries + tokens.lowerBound * c.queryWidth], precision: precision)
      }
    }
    forEachToken(0..<count) { token in
      let key = keys + token * c.keyWidth
      let value = values + token * c.valueWidth
      if let bias = block.keyBias { kernels.add(bias.pointer, to: key, count: c.keyWidth) }
      if let bias = block.valueBias { kernels.add(bias.pointer, to: value, count: c.valueWidth) }
      kernels.rope(key, heads: c.keyValueHeadCount, angles: rope.angles(token, scaled: false), pairing: c.ropePairing)
      balance?.apply(key: key)
      cache.store(keys: key, values: value, at: position + token, kernels: kernels)
      guard token >= tokens.lowerBound else { return }
      let query = queries + token * c.queryWidth
      if let bias = block.queryBias { kernels.add(bias.pointer, to: query, count: c.queryWidth) }
      kernels.rope(query, heads: c.headCount, angles: rope.angles(token, scaled: true), pairing: c.ropePairing)
      balance?.apply(query: query)
    }
    guard !tokens.isEmpty else { return }
    let (first, attended) = (tokens.lowerBound, workspace.attended)
    attention.run(
      queries: queries + first * c.queryWidth, tokens: tokens.count, position: position + first, cache: cache,
      output: attended + first * c.attentionWidth)
    project(attended, width: c.attentionWidth, by: block.attentionOutput, bias: block.attentionOutputBias, tokens)
  }

  private func feedForward(_ tokens: Range<Int>, block: BlockWeights) {
    let c = model.configuration
    let inner = c.feedForwardLength
    let (gate, up) = (workspace.gate, workspace.up)
    let start = tokens.lowerBound * inner
    matmul.matmul(
      [block.gate, block.up], input: workspace.normalized + tokens.lowerBound * c.embeddingLength, tokens: tokens.count,
      outputs: [gate + start, up + start], precision: precision)
    forEachToken(tokens) { token in
      kernels.swiGLU(gate: gate + token * inner, up: up + token * inner, count: inner)
    }
    project(gate, width: inner, by: block.down, bias: nil, tokens)
  }

  /// Multiplies rows of `width` with a matrix back to the embedding length: a sublayer's result.
  private func project(
    _ input: UnsafeMutablePointer<Float>, width: Int, by weights: Tensor, bias: FloatVector?, _ tokens: Range<Int>
  ) {
    let embedding = model.configuration.embeddingLength
    let out = workspace.delta + tokens.lowerBound * embedding
    matmul.matmul(
      [weights], input: input + tokens.lowerBound * width, tokens: tokens.count, outputs: [out], precision: precision)
    guard let bias else { return }
    for token in 0..<tokens.count { kernels.add(bias.pointer, to: out + token * embedding, count: embedding) }
  }

  private func computeLogits(_ tokens: Range<Int>, ids: [Int]?, into logits: UnsafeMutablePointer<Float>) {
    let c = model.configuration
    let input = workspace.normalized + tokens.lowerBound * c.embeddingLength
    if let ids {
      // One position: what `LogitsRequest.ids` asks for.
      let chosen = chosenLogits.reserve(ids.count)
      matmul.matmul(rows: ids, of: model.output, input: input, tokens: 1, output: chosen, precision: precision)
      logits.update(repeating: -.infinity, count: c.vocabularySize)
      for (index, id) in ids.enumerated() { logits[id] = chosen[index] }
    } else {
      matmul.matmul([model.output], input: input, tokens: tokens.count, outputs: [logits], precision: precision)
    }
    // Rounding to 8 bits may lose a NaN; the residual stream never does.
    for token in 0..<tokens.count {
      let row = UnsafeBufferPointer(start: input + token * c.embeddingLength, count: c.embeddingLength)
      guard row.contains(where: { !$0.isFinite }) else { continue }
      (logits + token * c.vocabularySize).update(repeating: .nan, count: c.vocabularySize)
    }
  }

  /// Tokens from which a parallel region is worth its barrier for work of one row.
  private static let parallelTokens = 6

  /// Calls `body` for each token, split over the workers when there are enough of them.
  private func forEachToken(_ tokens: Range<Int>, _ body: (Int) -> Void) {
    guard tokens.count >= Self.parallelTokens else { return tokens.forEach(body) }
    pool.run { worker, workers in
      let first = tokens.lowerBound + tokens.count * worker / workers
      let end = tokens.lowerBound + tokens.count * (worker + 1) / workers
      for token in first..<end { body(token) }
    }
  }
}
