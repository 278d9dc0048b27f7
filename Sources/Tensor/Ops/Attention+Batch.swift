import CKernels

/// Attention of one token, or of up to ``Attention/batchLimit``: the same numbers for each of them in every case.
///
/// A key-value head's answer to a token is the state of block 0, with those of blocks 1, 2, … merged into it one after the
/// other. The kernels fold a block into a fresh state row by row; rows share what is loaded, and no arithmetic. Threads
/// take whole blocks of whole heads.
///
/// Pointers of this file lead into ``Attention/scratch``, in parts of whole cache lines that one worker uses at a time.
extension Attention {
  // MARK: By heads

  /// Several tokens, or few keys: a worker takes a head with some of the tokens, through all blocks.
  func runHeads(
    queries: UnsafePointer<Float>, tokens: Int, position: Int, cache: CacheLayer,
    output: UnsafeMutablePointer<Float>, workers: Int
  ) {
    let slices = workers == 1 ? 1 : self.slices(tokens: tokens)
    let rows = (tokens + slices - 1) / slices * group
    let stateCount = Self.lines(SoftmaxState.floatCount(rows: rows, stride: layout.valueStride))
    let queryCount = Self.lines(rows * layout.keyLength)
    let count = queryCount + 2 * stateCount
    let base = scratch.reserve(count * workers)
    let share = { (worker: Int, next: () -> Int?) in
      let packed = base + worker * count
      let state = SoftmaxState(packed + queryCount, rows: rows, stride: self.layout.valueStride)
      let other = SoftmaxState(packed + queryCount + stateCount, rows: rows, stride: self.layout.valueStride)
      while let item = next() {
        let (head, slice) = (item / slices, item % slices)
        let (first, end) = (tokens * slice / slices, tokens * (slice + 1) / slices)
        self.pack(queries, head: head, first: first, tokens: end - first, into: packed)
        self.fold(
          queries: packed, tokens: end - first, position: position + first, cache: cache, head: head, state: state,
          other: other)
        self.finish(state, head: head, first: first, tokens: end - first, output: output)
      }
    }
    let items = layout.heads * slices
    if workers == 1 {
      var item = 0
      share(0) {
        defer { item += 1 }
        return item < items ? item : nil
      }
    } else {
      let next = Counter()
      pool.run { worker, _ in share(worker) { next.take(below: items) } }
    }
  }

  /// Into how many parts the tokens of a call are cut: as few as keep all threads busy, because each reads all keys.
  private func slices(tokens: Int) -> Int {
    let threads = pool.threads
    return (1...tokens).first { layout.heads * $0 % threads == 0 || layout.heads * $0 >= 4 * threads } ?? tokens
  }

  /// All blocks for `tokens` tokens of one head, the first of them at `position`; `other` is scratch.
  private func fold(
    queries: UnsafePointer<Float>, tokens: Int, position: Int, cache: CacheLayer, head: Int, state: SoftmaxState,
    other: SoftmaxState
  ) {
    state.reset(rows: tokens * group)
    for block in stride(from: 0, to: position + tokens, by: CacheLayout.blockLength) {
      // Tokens before this block see nothing of it.
      let blind = max(0, block - position)
      let rows = (tokens - blind) * group
      let part = block == 0 ? state : other
      if block > 0 { part.reset(rows: rows) }
      kernels.attend(
        queries: queries + blind * group * layout.keyLength, rows: rows, rowsPerToken: group,
        visible: position + blind + 1 - block,
        positions: min(CacheLayout.blockLength, position + tokens - block), cache: cache, head: head, position: block,
        state: part)
      if block > 0 { state.dropping(blind * group).merge(part, rows: rows, kernels: kernels) }
    }
  }

  // MARK: By heads and blocks

  /// One token and many keys: a worker takes blocks of heads, and whoever finishes a head's last block merges them.
  func runBlocks(
    queries: UnsafePointer<Float>, position: Int, cache: CacheLayer, output: UnsafeMutablePointer<Float>
  ) {
    let positions = position + 1
    let length = CacheLayout.blockLength
    let blocks = (positions + length - 1) / length
    let stateCount = Self.lines(SoftmaxState.floatCount(rows: group, stride: layout.valueStride))
    let base = scratch.reserve(layout.heads * blocks * stateCount)
    let state = { (head: Int, block: Int) in
      SoftmaxState(base + (head * blocks + block) * stateCount, rows: self.group, stride: self.layout.valueStride)
    }
    finished.forEach { $0.reset() }
    // Block after block, since the heads of a block follow each other in memory.
    let tiles = TileQueue([TileQueue.Item(rows: layout.heads * blocks, tileRows: 1)], workers: pool.threads)
    pool.run { worker, _ in
      while let unit = tiles.next(worker)?.rows.lowerBound {
        let (block, head) = (unit / self.layout.heads, unit % self.layout.heads)
        let part = state(head, block)
        part.reset(rows: self.group)
        let count = min(length, positions - block * length)
        self.kernels.attend(
          queries: queries + head * self.group * self.layout.keyLength, rows: self.group, rowsPerToken: self.group,
          visible: count, positions: count, cache: cache, head: head, position: block * length, state: part)
        guard self.finished[head].takesLast(below: blocks) else { continue }
        let whole = state(head, 0)
        for block in 1..<blocks { whole.merge(state(head, block), rows: self.group, kernels: self.kernels) }
        self.finish(whole, head: head, first: 0, tokens: 1, output: output)
      }
    }
  }
}
