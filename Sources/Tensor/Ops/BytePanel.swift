import CKernels

/// A panel of 8-bit elements with its scales: the twin of how the kernels store and read it.
///
/// Element `d` of a position is its byte times the position's scale for `d / 32`. The scale is the greatest magnitude over
/// 127 as a binary16 number. One that is not finite makes the whole group of 32 NaN, so that it shows in the logits.
///
/// Invariant: `base` points to `16 * length` bytes and then 16 binary16 scales for every 32 of `length` elements.
struct BytePanel {
  private let bytes: UnsafeMutablePointer<Int8>
  /// The lane's scales, 16 apart.
  private let scales: UnsafeMutablePointer<UInt16>

  init(_ base: UnsafeMutableRawPointer, length: Int, lane: Int) {
    bytes = base.assumingMemoryBound(to: Int8.self)
    scales = (base + CacheLayout.panelLength * length).assumingMemoryBound(to: UInt16.self) + lane
  }

  /// Rounds `count` elements; the byte of element `d` lies at `place(d)`.
  func store(_ x: UnsafePointer<Float>, count: Int, place: (Int) -> Int) {
    var first = 0
    while first < count {
      let end = min(first + CacheLayout.scaleLength, count)
      var greatest: Float = 0
      var isFinite = true
      for d in first..<end {
        greatest = max(greatest, abs(x[d]))
        isFinite = isFinite && x[d].isFinite
      }
      let half = HalfFloat.half(greatest / 127)
      let scale = HalfFloat.float(half)
      isFinite = isFinite && scale < .infinity
      scales[first / CacheLayout.scaleLength * CacheLayout.panelLength] = isFinite ? half : 0x7E00
      for d in first..<end {
        let level = isFinite && scale > 0 ? (x[d] / scale).rounded(.toNearestOrEven) : 0
        bytes[place(d)] = Int8(max(-127, min(127, level)))
      }
      first = end
    }
  }

  /// Element `d`, whose byte lies at `place`.
  func load(_ d: Int, place: Int) -> Float {
    Float(bytes[place]) * HalfFloat.float(scales[d / CacheLayout.scaleLength * CacheLayout.panelLength])
  }
}
