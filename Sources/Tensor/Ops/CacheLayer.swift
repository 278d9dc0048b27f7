import CKernels

/// One layer's part of a key-value cache.
///
/// Invariant: `blocks` points to enough block addresses for every position that is used, and each block holds at least
/// `offset + layout.layerByteCount` bytes, zero where nothing was stored. Two threads never store the same position.
package struct CacheLayer {
  package let layout: CacheLayout
  let blocks: UnsafePointer<UnsafeMutableRawPointer>
  let offset: Int

  package init(layout: CacheLayout, blocks: UnsafePointer<UnsafeMutableRawPointer>, offset: Int) {
    self.layout = layout
    self.blocks = blocks
    self.offset = offset
  }

  /// Where this layer begins in the block of `position`.
  func start(blockOf position: Int) -> UnsafeMutableRawPointer {
    blocks[position / CacheLayout.blockLength] + offset
  }

  /// Stores one token's keys (heads x key length) and values (heads x value length), rounded to the cache's element type.
  package func store(
    keys: UnsafePointer<Float>, values: UnsafePointer<Float>, at position: Int, kernels: ForwardKernels
  ) {
    let layer = start(blockOf: position)
    let inBlock = position % CacheLayout.blockLength
    for head in 0..<layout.heads {
      let target = StoreTarget(
        keys: layout.keys(layer, head: head, position: inBlock),
        values: layout.values(layer, head: head, position: inBlock), lane: inBlock % CacheLayout.panelLength,
        layout: layout)
      let key = keys + head * layout.keyLength
      let value = values + head * layout.valueLength
      switch layout.element {
      case .f16: kernels.storeHalf(key: key, value: value, to: target)
      case .q8_0: kernels.storeBytes(key: key, value: value, to: target)
      case .f32: target.storeFloat(key: key, value: value)
      }
    }
  }
}

/// Where one head's key and value of one position go: a lane of two panels.
private struct StoreTarget {
  let keys: UnsafeMutableRawPointer
  let values: UnsafeMutableRawPointer
  let lane: Int
  let layout: CacheLayout

  func storeFloat(key: UnsafePointer<Float>, value: UnsafePointer<Float>) {
    let panel = keys.assumingMemoryBound(to: Float.self)
    let row = values.assumingMemoryBound(to: Float.self) + lane * layout.valueStride
    for d in 0..<layout.keyLength { panel[d * CacheLayout.panelLength + lane] = key[d] }
    for d in 0..<layout.valueLength { row[d] = value[d] }
  }
}

extension ForwardKernels {
  /// Rounds one head's key and value to F16 and stores them.
  fileprivate func storeHalf(key: UnsafePointer<Float>, value: UnsafePointer<Float>, to target: StoreTarget) {
    let (lane, layout) = (target.lane, target.layout)
    if let table {
      table.pointee.store_key_f16(target.keys, lane, key, layout.keyLength)
      table.pointee.store_value_f16(target.values + lane * layout.valueStride * 2, value, layout.valueLength)
      return
    }
    let panel = target.keys.assumingMemoryBound(to: UInt16.self)
    let row = target.values.assumingMemoryBound(to: UInt16.self) + lane * layout.valueStride
    for d in 0..<layout.keyLength { panel[d * CacheLayout.panelLength + lane] = HalfFloat.half(key[d]) }
    for d in 0..<layout.valueLength { row[d] = HalfFloat.half(value[d]) }
  }

  /// Rounds one head's key and value to 8 bits and stores them.
  fileprivate func storeBytes(key: UnsafePointer<Float>, value: UnsafePointer<Float>, to target: StoreTarget) {
    let (lane, layout) = (target.lane, target.layout)
    if let table {
      table.pointee.store_key_q8(target.keys, lane, key, layout.keyLength)
      table.pointee.store_value_q8(target.values, lane, value, layout.valueLength, layout.valueStride)
      return
    }
    let keys = BytePanel(target.keys, length: layout.keyLength, lane: lane)
    keys.store(key, count: layout.keyLength) { d in d * CacheLayout.panelLength + lane }
    let values = BytePanel(target.values, length: layout.valueStride, lane: lane)
    values.store(value, count: layout.valueLength) { d in lane * layout.valueStride + d }
  }
}
