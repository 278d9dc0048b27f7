import Tensor

/// The panels that hold the first positions of a cache, one after the other: what a snapshot is made of.
///
/// Pointers of this file are addresses in ``KVCache/blocks``, of panels that ``KVCache/panelRuns(of:)`` lists: each lies
/// inside its block because a run's positions do.
extension KVCache {
  /// Neighbouring panels of one head's keys or values in one block.
  struct PanelRun {
    let block: Int
    let layer: Int
    let head: Int
    let isKeys: Bool
    /// Positions of the block that count.
    let positions: Int
    let byteCount: Int
  }

  /// Bytes of the panels that hold the first `positions` positions.
  func panelByteCount(of positions: Int) -> Int {
    let panels = (positions + CacheLayout.panelLength - 1) / CacheLayout.panelLength
    return panels * layerCount * layout.heads * (layout.keyPanelByteCount + layout.valuePanelByteCount)
  }

  /// The runs that hold the first `positions` positions, in the order of a snapshot.
  func panelRuns(of positions: Int) -> some Sequence<PanelRun> {
    let length = CacheLayout.blockLength
    return (0..<(positions + length - 1) / length).lazy.flatMap { block in
      let count = min(length, positions - block * length)
      let panels = (count + CacheLayout.panelLength - 1) / CacheLayout.panelLength
      return (0..<self.layerCount * self.layout.heads * 2).lazy.map { index in
        let isKeys = index % 2 == 0
        return PanelRun(
          block: block, layer: index / 2 / self.layout.heads, head: index / 2 % self.layout.heads, isKeys: isKeys,
          positions: count,
          byteCount: panels * (isKeys ? self.layout.keyPanelByteCount : self.layout.valuePanelByteCount))
      }
    }
  }

  private func address(_ run: PanelRun) -> UnsafeMutableRawPointer {
    let layer = blocks[run.block] + run.layer * layout.layerByteCount
    return run.isKeys
      ? layout.keys(layer, head: run.head, position: 0) : layout.values(layer, head: run.head, position: 0)
  }

  /// Hands the runs' bytes to `body`, in order; lanes of the last panel beyond the last position are zero in them.
  func withPanels<Failure: Error>(
    of positions: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(positions <= count)
    for run in panelRuns(of: positions) {
      let source = UnsafeMutableRawBufferPointer(start: address(run), count: run.byteCount)
      let isWhole = run.positions % CacheLayout.panelLength == 0
      if isWhole {
        try body(UnsafeRawBufferPointer(source))
        continue
      }
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: run.byteCount, alignment: 64)
      defer { copy.deallocate() }
      copy.copyMemory(from: UnsafeRawBufferPointer(source))
      let panel = run.isKeys ? layout.keyPanelByteCount : layout.valuePanelByteCount
      layout.clear(
        copy.baseAddress.map { $0 + run.byteCount - panel }, from: run.positions % CacheLayout.panelLength,
        isKeys: run.isKeys)
      try body(UnsafeRawBufferPointer(copy))
    }
  }

  /// Takes the runs' bytes, of which there are as many as ``panelByteCount(of:)`` says, and counts their positions. There
  /// is room for them (``makeRoom(_:)``).
  func restore(_ positions: Int, from bytes: UnsafeRawBufferPointer) {
    precondition(positions <= blockCount * CacheLayout.blockLength && bytes.count == panelByteCount(of: positions))
    var offset = 0
    for run in panelRuns(of: positions) {
      UnsafeMutableRawBufferPointer(start: address(run), count: run.byteCount)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + run.byteCount]))
      offset += run.byteCount
    }
    count = positions
  }
}
