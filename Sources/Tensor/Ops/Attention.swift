import CKernels

/// Causal grouped-query attention over a key-value cache.
///
/// ```swift
/// let attention = Attention(heads: 32, layout: cache.layout, pool: pool)
/// attention.run(queries: q, tokens: 1, position: 41, cache: cache.layer(0), output: out)
/// ```
///
/// The query heads of a group share each key and value that is loaded. The softmax is an online one: each block of the
/// cache (``CacheLayout/blockLength`` positions, wherever a call begins) gives a state of its own, and the states of a
/// head are merged in the order of positions. That is so for one token as for ``batchLimit`` tokens, and however the
/// work is split over threads, so what a token gets is the same to the last bit alone and in a batch.
///
/// More tokens go through tiles (``runTiles(queries:tokens:position:cache:output:)``), which are faster and round in
/// another order.
///
/// One owner at a time: the object holds the scratch memory of its workers.
///
/// Source: Vaswani et al. (2017); grouped queries: Ainslie et al., "GQA" (2023); tiling: Dao et al., "FlashAttention"
/// (2022).
package final class Attention {
  /// Most query heads that may share one key-value head.
  package static let groupLimit = Int(CK_QUERY_TILE)
  /// Up to so many tokens of a call each get what they would get alone.
  package static let batchLimit = ProductRoute.mostBatchTokens

  let heads: Int
  let group: Int
  let layout: CacheLayout
  let pool: WorkerPool
  let kernels: ForwardKernels
  let scratch = FloatBuffer()
  /// For each key-value head, how many of its blocks are done.
  let finished: [Counter]

  /// - Parameter heads: query heads, a multiple of the layout's key-value heads by at most ``groupLimit``.
  package init(heads: Int, layout: CacheLayout, pool: WorkerPool, kernels: ForwardKernels = .best) {
    precondition(heads % layout.heads == 0 && heads / layout.heads <= Self.groupLimit)
    self.heads = heads
    self.layout = layout
    self.pool = pool
    self.kernels = kernels
    group = heads / layout.heads
    finished = (0..<layout.heads).map { _ in Counter() }
  }

  /// Attends with `tokens` tokens, the first of them at `position`; keys and values of all of them are in the cache.
  ///
  /// - Parameters:
  ///   - queries: tokens x heads x key length, already scaled by `1 / sqrt(key length)`.
  ///   - output: tokens x heads x value length.
  package func run(
    queries: UnsafePointer<Float>, tokens: Int, position: Int, cache: CacheLayer, output: UnsafeMutablePointer<Float>
  ) {
    precondition(cache.layout == layout && tokens > 0)
    guard tokens <= Self.batchLimit else {
      return runTiles(queries: queries, tokens: tokens, position: position, cache: cache, output: output)
    }
    let work = (position + tokens) * tokens * heads * (layout.keyLength + layout.valueStride)
    let workers = work < Self.serialLimit ? 1 : pool.threads
    if tokens == 1, workers > 1, position >= CacheLayout.blockLength {
      runBlocks(queries: queries, position: position, cache: cache, output: output)
    } else {
      runHeads(
        queries: queries, tokens: tokens, position: position, cache: cache, output: output, workers: workers)
    }
  }

  /// Multiply-adds below which a region costs more than it saves.
  private static let serialLimit = 300_000

  /// Rounds a count of floats up to whole cache lines, so that workers never write to the same one.
  static func lines(_ count: Int) -> Int { (count + 31) & ~31 }

  /// Writes the means of `tokens` tokens' rows of one key-value head, the first of them token `first` of the call.
  func finish(
    _ state: SoftmaxState, head: Int, first: Int, tokens: Int, output: UnsafeMutablePointer<Float>
  ) {
    for row in 0..<tokens * group {
      let target = ((first + row / group) * heads + head * group + row % group) * layout.valueLength
      state.finish(row: row, into: output + target, count: layout.valueLength, kernels: kernels)
    }
  }

  /// Copies the queries of one key-value head for tokens `first ..< first + tokens` of the call, token after token.
  func pack(
    _ queries: UnsafePointer<Float>, head: Int, first: Int, tokens: Int, into packed: UnsafeMutablePointer<Float>
  ) {
    let rowLength = group * layout.keyLength
    for token in 0..<tokens {
      let source = queries + ((first + token) * heads + head * group) * layout.keyLength
      (packed + token * rowLength).update(from: source, count: rowLength)
    }
  }
}
