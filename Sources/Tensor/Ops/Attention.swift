import CKernels
import Synchronization

/// Causal grouped-query attention over a key-value cache.
///
/// ```swift
/// let attention = Attention(heads: 32, layout: cache.layout, pool: pool)
/// attention.run(queries: q, tokens: 1, position: 41, cache: cache.layer(0), output: out)
/// ```
///
/// The query heads of a group share each key and value that is loaded. A single token is split over the workers by heads
/// and positions, several tokens by heads and tiles of tokens. The softmax is an online one, so that scores exist for a
/// tile at a time only.
///
/// One owner at a time: the object holds the scratch memory of its workers.
///
/// Source: Vaswani et al. (2017); grouped queries: Ainslie et al., "GQA" (2023); tiling: Dao et al., "FlashAttention"
/// (2022).
package final class Attention {
  /// Most query heads that may share one key-value head.
  package static let groupLimit = Int(CK_QUERY_TILE)

  let heads: Int
  let group: Int
  let layout: CacheLayout
  let pool: WorkerPool
  let kernels: ForwardKernels
  private let scratch: FloatBuffer

  /// - Parameter heads: query heads, a multiple of the layout's key-value heads by at most ``groupLimit``.
  package init(heads: Int, layout: CacheLayout, pool: WorkerPool, kernels: ForwardKernels = .best) {
    precondition(heads % layout.heads == 0 && heads / layout.heads <= Self.groupLimit)
    self.heads = heads
    self.layout = layout
    self.pool = pool
    self.kernels = kernels
    group = heads / layout.heads
    scratch = FloatBuffer()
  }

  /// Attends with `tokens` tokens, the first of them at `position`; keys and values of all of them are in the cache.
  ///
  /// - Parameters:
  ///   - queries: tokens x heads x key length, already scaled by `1 / sqrt(key length)`.
  ///   - output: tokens x heads x value length.
  package func run(
    queries: UnsafePointer<Float>, tokens: Int, position: Int, cache: CacheLayer, output: UnsafeMutablePointer<Float>
  ) {
    precondition(cache.layout == layout)
    if tokens == 1 {
      attendRow(queries: queries, positions: position + 1, cache: cache, output: output)
    } else if tokens > 1 {
      attendTiles(queries: queries, tokens: tokens, position: position, cache: cache, output: output)
    }
  }

  // MARK: One token

  /// Multiply-adds below which a region costs more than it saves.
  private static let serialLimit = 300_000

  private func attendRow(
    queries: UnsafePointer<Float>, positions: Int, cache: CacheLayer, output: UnsafeMutablePointer<Float>
  ) {
    let stride = layout.valueStride
    let work = positions * heads * (layout.keyLength + stride)
    let workers = work < Self.serialLimit ? 1 : pool.threads
    let stateCount = SoftmaxState.floatCount(rows: heads, stride: stride)
    let base = scratch.reserve(workers * stateCount)
    let states = (0..<workers).map { SoftmaxState(base + $0 * stateCount, rows: heads, stride: stride) }
    let share = { (worker: Int) in
      self.attendShare(worker, of: workers, queries: queries, positions: positions, cache: cache, state: states[worker])
    }
    if workers == 1 { share(0) } else { pool.run { worker, _ in share(worker) } }
    for other in states.dropFirst() { states[0].merge(other, rows: heads, kernels: kernels) }
    for head in 0..<heads {
      states[0].finish(row: head, into: output + head * layout.valueLength, count: layout.valueLength, kernels: kernels)
    }
  }

  /// Takes an even share of all panels of all heads; those of a head that two workers share are merged afterwards.
  private func attendShare(
    _ worker: Int, of workers: Int, queries: UnsafePointer<Float>, positions: Int, cache: CacheLayer,
    state: SoftmaxState
  ) {
    state.reset(rows: heads)
    let panel = CacheLayout.panelLength
    let panels = (positions + panel - 1) / panel
    let total = panels * layout.heads
    var unit = total * worker / workers
    let end = total * (worker + 1) / workers
    while unit < end {
      let head = unit / panels
      let first = unit % panels * panel
      let inBlock = first % CacheLayout.blockLength
      // Up to the end of the block, the head, and the share.
      let limit = min(positions, first - inBlock + CacheLayout.blockLength, first + (end - unit) * panel)
      let row = head * group
      kernels.attend(
        queries: queries + row * layout.keyLength, rows: group, positions: limit - first,
        cache: cache, head: head, position: first, state: state.dropping(row))
      unit += (limit - first + panel - 1) / panel
    }
  }

  // MARK: Several tokens

  private func attendTiles(
    queries: UnsafePointer<Float>, tokens: Int, position: Int, cache: CacheLayer, output: UnsafeMutablePointer<Float>
  ) {
    // Tiles as large as the kernel takes, but several for each worker.
    let wanted = (pool.threads * 4 + layout.heads - 1) / layout.heads
    let tile = max(1, min(Self.groupLimit / group, (tokens + wanted - 1) / wanted))
    let tiles = (tokens + tile - 1) / tile
    let rows = tile * group
    let stateCount = SoftmaxState.floatCount(rows: rows, stride: layout.valueStride)
    let kernelCount = Int(CK_KEY_TILE) * (layout.keyLength + layout.valueStride + rows)
    // Whole cache lines for each worker.
    let count = (rows * layout.keyLength + stateCount + kernelCount + 31) & ~31
    let base = scratch.reserve(count * pool.threads)
    let next = Counter()
    pool.run { worker, _ in
      let packed = base + worker * count
      let state = SoftmaxState(packed + rows * self.layout.keyLength, rows: rows, stride: self.layout.valueStride)
      let kernelScratch = packed + rows * self.layout.keyLength + stateCount
      while let item = next.take(below: tiles * self.layout.heads) {
        // The last tokens see the most keys: they come first, so that no long tile is left for the end.
        let first = (tiles - 1 - item / self.layout.heads) * tile
        self.attendTile(
          head: item % self.layout.heads, first: first, tokens: min(tile, tokens - first), queries: queries,
          position: position + first, cache: cache, packed: packed, state: state, scratch: kernelScratch, output: output
        )
      }
    }
  }

  /// One key-value head for tokens `first ..< first + tokens`, the first of them at `position`.
  private func attendTile(
    head: Int, first: Int, tokens: Int, queries: UnsafePointer<Float>, position: Int, cache: CacheLayer,
    packed: UnsafeMutablePointer<Float>, state: SoftmaxState, scratch: UnsafeMutablePointer<Float>,
    output: UnsafeMutablePointer<Float>
  ) {
    let rowLength = group * layout.keyLength
    for token in 0..<tokens {
      let source = queries + ((first + token) * heads + head * group) * layout.keyLength
      (packed + token * rowLength).update(from: source, count: rowLength)
    }
    let rows = tokens * group
    state.reset(rows: rows)
    let positions = position + tokens
    var start = 0
    while start < positions {
      let count = min(CacheLayout.blockLength, positions - start)
      kernels.attend(
        queries: packed, rows: rows, rowsPerToken: group, visible: position + 1 - start, positions: count,
        cache: cache, head: head, position: start, state: state, scratch: scratch)
      start += count
    }
    for row in 0..<rows {
      let target = ((first + row / group) * heads + head * group + row % group) * layout.valueLength
      state.finish(row: row, into: output + target, count: layout.valueLength, kernels: kernels)
    }
  }
}

/// Hands out 0, 1, 2, … to whichever thread asks.
private final class Counter: Sendable {
  private let next = Atomic<Int>(0)

  func take(below limit: Int) -> Int? {
    let value = next.add(1, ordering: .relaxed).oldValue
    return value < limit ? value : nil
  }
}
