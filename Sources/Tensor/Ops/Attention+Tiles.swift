import CKernels

/// Attention of many tokens, by heads and tiles of tokens; scores exist for a tile of keys at a time only.
///
/// Tiles of keys begin at multiples of their length, wherever the call begins, and a row's sums don't depend on the rows
/// beside it: how a prompt is cut into calls of more than ``Attention/batchLimit`` tokens changes nothing.
///
/// Pointers of this file lead into ``Attention/scratch``, in parts of whole cache lines for each worker.
extension Attention {
  func runTiles(
    queries: UnsafePointer<Float>, tokens: Int, position: Int, cache: CacheLayer, output: UnsafeMutablePointer<Float>
  ) {
    // Tiles as large as the kernel takes, but several for each worker.
    let wanted = (pool.threads * 4 + layout.heads - 1) / layout.heads
    let tile = max(1, min(Self.groupLimit / group, (tokens + wanted - 1) / wanted))
    let tiles = (tokens + tile - 1) / tile
    let rows = tile * group
    let stateCount = SoftmaxState.floatCount(rows: rows, stride: layout.valueStride)
    let kernelCount = Int(CK_KEY_TILE) * (layout.keyLength + layout.valueStride + rows)
    let count = Self.lines(rows * layout.keyLength + stateCount + kernelCount)
    let base = scratch.reserve(count * pool.threads)
    let next = Counter()
    pool.run { worker, _ in
      let packed = base + worker * count
      let state = SoftmaxState(packed + rows * self.layout.keyLength, rows: rows, stride: self.layout.valueStride)
      let kernelScratch = packed + rows * self.layout.keyLength + stateCount
      while let item = next.take(below: tiles * self.layout.heads) {
        // The last tokens see the most keys: they come first, so that no long tile is left for the end.
        let first = (tiles - 1 - item / self.layout.heads) * tile
        let head = item % self.layout.heads
        let some = min(tile, tokens - first)
        self.pack(queries, head: head, first: first, tokens: some, into: packed)
        self.foldTile(
          queries: packed, tokens: some, position: position + first, cache: cache, head: head, state: state,
          scratch: kernelScratch)
        self.finish(state, head: head, first: first, tokens: some, output: output)
      }
    }
  }

  /// One key-value head for `tokens` tokens, the first of them at `position`.
  private func foldTile(
    queries: UnsafePointer<Float>, tokens: Int, position: Int, cache: CacheLayer, head: Int, state: SoftmaxState,
    scratch: UnsafeMutablePointer<Float>
  ) {
    state.reset(rows: tokens * group)
    for start in stride(from: 0, to: position + tokens, by: CacheLayout.blockLength) {
      kernels.attendTile(
        queries: queries, rows: tokens * group, rowsPerToken: group, visible: position + 1 - start,
        positions: min(CacheLayout.blockLength, position + tokens - start), cache: cache, head: head, position: start,
        state: state, scratch: scratch)
    }
  }
}
