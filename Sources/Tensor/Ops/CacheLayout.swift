import CKernels

/// Where the keys and values of one layer lie in a block of the key-value cache.
///
/// A block holds ``blockLength`` positions. In it each key-value head has its keys and then its values to itself, both in
/// panels of 16 positions, so that attention reads one stream front to back:
///
/// - a panel of keys is element-major: element `d` of the 16 keys lies together. A score of 16 positions is then a sum
///   over `d` of vector times number, without sums across a vector.
/// - a panel of values is 16 rows of ``valueStride`` elements (the value width rounded up to 16, the rest zero).
/// - with 8-bit elements the panel's scales follow: for every 32 elements 16 of them, one a position.
package struct CacheLayout: Sendable, Equatable {
  /// How the cache stores an element.
  package enum Element: UInt32, Sendable, CaseIterable {
    case f16 = 0
    /// Twice the memory, no rounding: for the exact path.
    case f32 = 1
    /// 8 bits and a binary16 scale for every 32 elements: a little more than half of F16's memory.
    case q8_0 = 2
  }

  /// Positions in a block.
  package static let blockLength = Int(CK_CACHE_BLOCK)
  /// Positions in a panel of keys or values.
  package static let panelLength = Int(CK_KEY_PANEL)
  /// Elements that share a scale.
  static let scaleLength = Int(CK_CACHE_SCALE)

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

  /// Bytes of a panel of one head's keys.
  package var keyPanelByteCount: Int { panelByteCount(keyLength) }
  /// Bytes of a panel of one head's values.
  package var valuePanelByteCount: Int { panelByteCount(valueStride) }

  private func panelByteCount(_ length: Int) -> Int {
    switch element {
    case .f16: Self.panelLength * length * 2
    case .f32: Self.panelLength * length * 4
    case .q8_0: Self.panelLength * (length + 2 * ((length + Self.scaleLength - 1) / Self.scaleLength))
    }
  }

  /// Bytes of one head's keys in a block.
  private var keyByteCount: Int { Self.blockLength / Self.panelLength * keyPanelByteCount }
  /// Bytes of one head's keys and values in a block.
  private var headByteCount: Int { keyByteCount + Self.blockLength / Self.panelLength * valuePanelByteCount }
  /// Bytes of one layer in a block.
  package var layerByteCount: Int { heads * headByteCount }

  /// The panel of keys of `head` that holds `position` of the block; `layer` is the layer's start in it.
  package func keys(_ layer: UnsafeMutableRawPointer, head: Int, position: Int) -> UnsafeMutableRawPointer {
    layer + head * headByteCount + position / Self.panelLength * keyPanelByteCount
  }

  /// The panel of values of `head` that holds `position` of the block.
  package func values(_ layer: UnsafeMutableRawPointer, head: Int, position: Int) -> UnsafeMutableRawPointer {
    layer + head * headByteCount + keyByteCount + position / Self.panelLength * valuePanelByteCount
  }

  /// Zeroes the lanes of a panel from `lane` on.
  package func clear(_ panel: UnsafeMutableRawPointer?, from lane: Int, isKeys: Bool) {
    guard let panel else { return }
    let length = isKeys ? keyLength : valueStride
    let dead = Self.panelLength - lane
    let size = element == .q8_0 ? 1 : element == .f16 ? 2 : 4
    func zero(_ start: Int, _ count: Int) {
      // `start + count` is at most the panel's bytes: lanes end at its width.
      (panel + start * size).initializeMemory(as: UInt8.self, repeating: 0, count: count * size)
    }
    if isKeys {
      for d in 0..<length { zero(d * Self.panelLength + lane, dead) }
    } else {
      zero(lane * length, dead * length)
    }
    guard element == .q8_0 else { return }
    // Scales are two bytes, 16 of them for every group.
    for group in 0..<(length + Self.scaleLength - 1) / Self.scaleLength {
      zero(Self.panelLength * length + (group * Self.panelLength + lane) * 2, dead * 2)
    }
  }
}
