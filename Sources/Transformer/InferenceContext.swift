package import Tensor

/// A running text: token ids go in, logits come out, and the keys and values of all tokens so far stay in a cache.
///
/// ```swift
/// let context = try InferenceContext(model: model, pool: pool, contextLength: 2048)
/// try context.forward(promptTokens)                 // prefill
/// let next = argmax(context.logits(at: 0))
/// try context.forward([next])                       // decode
/// context.rewind(to: promptTokens.count)            // as if only the prompt had been seen
/// ```
///
/// What comes out doesn't depend on the number of threads. Up to ``batchLimit`` tokens of a call (and of a chunk) each get
/// what they would get alone, to the last bit; longer ones round in another order. One owner at a time.
package final class InferenceContext {
  package let model: Model
  /// Most tokens that fit.
  package let contextLength: Int
  package let precision: Precision
  /// Most tokens that run through the layers together.
  package let chunkLength: Int
  package let cache: KVCache
  package let pool: WorkerPool
  let matmul: MatMul
  let attention: Attention
  let rope: RopeTable
  let kernels: ForwardKernels
  let workspace: Workspace
  /// For each block, with a cache of 8 bits and biases of keys; otherwise empty.
  let balances: [KeyBalance]
  /// The logits of single ids, before they are spread.
  let chosenLogits = FloatBuffer()
  private let logitsMemory = FloatBuffer()
  /// Positions that the last ``forward(_:logits:isCancelled:)`` made logits for.
  package private(set) var logitsCount = 0

  /// Up to so many tokens of a call each get the bits that they would get alone.
  package static let batchLimit = Attention.batchLimit

  /// How many tokens run through the layers together when the caller doesn't say.
  ///
  /// Prefill of 512 tokens on two threads in tokens/s, with chunks of 64, 128, 256 and 512: SmolLM2-135M 2650, 3340, 3780,
  /// 3930; the 1B shape in Q4_0 450, 527, 578, 600. More would cost memory and delay a cancellation.
  package static let defaultChunkLength = 512

  /// - Parameters:
  ///   - pool: the threads that do the work; it serves one context at a time.
  ///   - contextLength: most tokens that fit, up to what the model was made for (the default). Memory is taken as the
  ///     context fills, not here.
  ///   - precision: `.exact` keeps activations and the cache in float32.
  ///   - element: how the cache stores keys and values: F16, or float32 when exact, unless said otherwise. Q8_0 takes
  ///     53 % of F16's memory.
  ///   - chunkLength: how many tokens run through the layers together.
  ///   - kernels: the instruction set of norm, rope and attention; `level` that of the matrix products.
  /// - Throws: ``ModelError/contextLength(asked:limit:)``.
  package init(
    model: Model, pool: WorkerPool, contextLength: Int? = nil, precision: Precision = .quantized,
    cache element: CacheLayout.Element? = nil, chunkLength: Int = InferenceContext.defaultChunkLength,
    kernels: ForwardKernels = .best, level: KernelLevel = .best
  ) throws(ModelError) {
    let configuration = model.configuration
    let length = contextLength ?? configuration.contextLength
    guard length > 0, length <= configuration.contextLength else {
      throw .contextLength(asked: length, limit: configuration.contextLength)
    }
    self.model = model
    self.contextLength = length
    self.precision = precision
    self.chunkLength = max(1, min(chunkLength, length))
    self.pool = pool
    self.kernels = kernels
    let layout = CacheLayout(
      heads: configuration.keyValueHeadCount, keyLength: configuration.keyLength,
      valueLength: configuration.valueLength, element: element ?? (precision == .exact ? .f32 : .f16))
    cache = KVCache(layout: layout, layerCount: configuration.blockCount, capacity: length)
    matmul = MatMul(pool: pool, level: level)
    attention = Attention(heads: configuration.headCount, layout: layout, pool: pool, kernels: kernels)
    rope = RopeTable(
      frequencies: model.ropeFrequencies, queryScale: 1 / Double(configuration.keyLength).squareRoot())
    workspace = Workspace(configuration)
    // Without biases keys are even enough: measured on SmolLM2, balancing them gained nothing.
    let isBalanced = layout.element == .q8_0 && model.blocks.allSatisfy { $0.keyBias != nil }
    balances = isBalanced ? model.blocks.map { KeyBalance($0, configuration) } : []
  }

  /// Tokens in the cache: the position of the next one.
  package var count: Int { cache.count }

  /// Forgets all tokens from position `count` on, which must not be beyond ``count``.
  package func rewind(to count: Int) { cache.rewind(to: count) }

  /// Runs `tokens` after those in the cache.
  ///
  /// - Parameters:
  ///   - logits: the positions that get logits; read them with ``logits(at:)`` before the next call.
  ///   - isCancelled: asked before every layer; when it says so, the run ends with ``ModelError/cancelled``.
  /// - Throws: ``ModelError``. The cache is then as it was before the call.
  package func forward(
    _ tokens: [Int], logits: LogitsRequest = .last, isCancelled: () -> Bool = { false }
  ) throws(ModelError) {
    if let ids = logits.wantedIDs { try checkRange(ids) }
    try forward(tokens, asked: logits.count(of: tokens.count), ids: { logits.wantedIDs }, isCancelled: isCancelled)
  }

  /// Runs `tokens` after those in the cache, with logits behind the last.
  ///
  /// - Parameter ids: asked once, when the layers are done and only the output head is left: the ids whose logits are
  ///   wanted, `nil` for all. What takes a while to be known can be found out beside the layers.
  /// - Throws: as ``forward(_:logits:isCancelled:)``.
  package func forward(
    _ tokens: [Int], choosing ids: () -> [Int]?, isCancelled: () -> Bool = { false }
  ) throws(ModelError) {
    try forward(
      tokens, asked: 1,
      ids: { () throws(ModelError) -> [Int]? in
        let chosen = ids()
        if let chosen { try checkRange(chosen) }
        return chosen
      }, isCancelled: isCancelled)
  }

  private func forward(
    _ tokens: [Int], asked: Int, ids: () throws(ModelError) -> [Int]?, isCancelled: () -> Bool
  ) throws(ModelError) {
    let start = count
    try check(tokens)
    logitsCount = 0
    do {
      try cache.reserve(tokens.count)
      logitsMemory.reserve(asked * model.configuration.vocabularySize)
      var done = 0
      while done < tokens.count {
        try model.requireWholeFile()
        let end = min(done + chunkLength, tokens.count)
        // Of this chunk's tokens, those among the last `asked` of all.
        let wanted = max(0, min(end - done, end - (tokens.count - asked)))
        let rows = logitsMemory.pointer + logitsCount * model.configuration.vocabularySize
        try run(
          tokens[done..<end], wanted: wanted, ids: ids, into: rows, isCancelled: isCancelled)
        cache.advance(by: end - done)
        logitsCount += wanted
        done = end
      }
    } catch {
      logitsCount = 0
      cache.rewind(to: start)
      throw error
    }
  }

  /// The logits of the `index`-th position that the last call made some for, one for each row of the output head.
  ///
  /// Valid until the next ``forward(_:logits:isCancelled:)``. Where an activation was not finite, all of them are NaN.
  package func logits(at index: Int) -> UnsafeBufferPointer<Float> {
    precondition(index >= 0 && index < logitsCount, "logits \(index) of \(logitsCount)")
    let size = model.configuration.vocabularySize
    return UnsafeBufferPointer(start: logitsMemory.pointer + index * size, count: size)
  }

  /// Says that the logits of the last run belong to another text.
  func logitsWereLost() { logitsCount = 0 }

  private func check(_ tokens: [Int]) throws(ModelError) {
    guard !tokens.isEmpty else { throw .noTokens }
    guard tokens.count <= contextLength - count else {
      throw .contextFull(tokens: tokens.count, used: count, limit: contextLength)
    }
    try checkRange(tokens)
  }

  private func checkRange(_ ids: [Int]) throws(ModelError) {
    let size = model.configuration.vocabularySize
    for id in ids where id < 0 || id >= size { throw .tokenOutOfRange(id, vocabularySize: size) }
  }
}
