import CKernels

/// Where the keys and values of one layer lie in a block of the key-value cache.
///
/// A block holds ``blockLength`` positions. In it each key-value head has its keys and then its values to itself, so that
/// attention reads one stream front to back:
///
/// - keys in panels of 16 positions, element-major: element `d` of the panel's 16 keys lies together. A score of 16
///   positions is then a sum over `d` of vector times number, without sums across a vector.
/// - values a row a position, of ``valueStride`` elements (the value width rounded up to 16, the rest zero).
package struct CacheLayout: Sendable, Equatable {
  /// How the cache stores an element.
  package enum Element: Sendable {
    case f16
    /// Twice the memory, no rounding: for the exact path.
    case f32

    package var byteCount: Int { self == .f16 ? 2 : 4 }
  }

  /// Positions in a block.
  package static let blockLength = Int(CK_CACHE_BLOCK)
  /// Positions in a panel of keys.
  package static let panelLength = Int(CK_KEY_PANEL)

  package let heads: Int
  package let keyLength: Int
  package let valueLength: Int
  package let element: Element
  package let valueStride: Int

  /// - Parameters:
  ///   - heads: key-value heads.
  ///   - keyLength: elements of a head's key; `valueLength` of its value.
  package init(heads: Int, keyLength: Int, valueLength: Int, element: Element) {
    self.heads = heads
    self.keyLength = keyLength
    self.valueLength = valueLength
    self.element = element
    valueStride = (valueLength + Self.panelLength - 1) / Self.panelLength * Self.panelLength
  }

  /// Bytes of one head's keys and values in a block.
  var headByteCount: Int { Self.blockLength * (keyLength + valueStride) * element.byteCount }
  /// Bytes of one layer in a block.
  package var layerByteCount: Int { heads * headByteCount }

  /// The keys of `head` from `position` on, which must begin a panel; `layer` is the layer's start in the block.
  func keys(_ layer: UnsafeMutableRawPointer, head: Int, position: Int) -> UnsafeMutableRawPointer {
    layer + head * headByteCount + position * keyLength * element.byteCount
  }

  /// The values of `head` from `position` on.
  func values(_ layer: UnsafeMutableRawPointer, head: Int, position: Int) -> UnsafeMutableRawPointer {
    layer + head * headByteCount + (Self.blockLength * keyLength + position * valueStride) * element.byteCount
  }
}

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
    let lane = inBlock % CacheLayout.panelLength
    for head in 0..<layout.heads {
      let panel = layout.keys(layer, head: head, position: inBlock - lane)
      let row = layout.values(layer, head: head, position: inBlock)
      let key = keys + head * layout.keyLength
      let value = values + head * layout.valueLength
      switch layout.element {
      case .f16: kernels.storeHalf(key: key, value: value, panel: panel, lane: lane, row: row, layout: layout)
      case .f32:
        let panel = panel.assumingMemoryBound(to: Float.self)
        let row = row.assumingMemoryBound(to: Float.self)
        for d in 0..<layout.keyLength { panel[d * CacheLayout.panelLength + lane] = key[d] }
        for d in 0..<layout.valueLength { row[d] = value[d] }
      }
    }
  }
}

extension ForwardKernels {
  /// Rounds one head's key and value to F16 and stores them.
  fileprivate func storeHalf(
    key: UnsafePointer<Float>, value: UnsafePointer<Float>, panel: UnsafeMutableRawPointer, lane: Int,
    row: UnsafeMutableRawPointer, layout: CacheLayout
  ) {
    if let table {
      table.pointee.store_key_f16(panel, lane, key, layout.keyLength)
      table.pointee.store_value_f16(row, value, layout.valueLength)
      return
    }
    let panel = panel.assumingMemoryBound(to: UInt16.self)
    let row = row.assumingMemoryBound(to: UInt16.self)
    for d in 0..<layout.keyLength { panel[d * CacheLayout.panelLength + lane] = HalfFloat.half(key[d]) }
    for d in 0..<layout.valueLength { row[d] = HalfFloat.half(value[d]) }
  }
}
