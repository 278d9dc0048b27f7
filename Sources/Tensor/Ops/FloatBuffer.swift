/// Scratch memory for floats that grows when more is asked for and is never given back before the buffer goes.
///
/// Invariant: `base` has room for `capacity` floats. One owner at a time.
package final class FloatBuffer {
  private var base: UnsafeMutablePointer<Float>
  package private(set) var capacity: Int

  package init(_ count: Int = 0) {
    capacity = count
    base = Self.allocate(count)
  }

  deinit { UnsafeMutableRawPointer(base).deallocate() }

  /// Memory for `count` floats, aligned to a cache line. Growing loses what was there, and ends earlier pointers' life.
  @discardableResult
  package func reserve(_ count: Int) -> UnsafeMutablePointer<Float> {
    if count > capacity {
      UnsafeMutableRawPointer(base).deallocate()
      base = Self.allocate(count)
      capacity = count
    }
    return base
  }

  /// The memory as it is.
  package var pointer: UnsafeMutablePointer<Float> { base }

  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer.allocate(byteCount: max(count, 1) * MemoryLayout<Float>.size, alignment: 64)
      .bindMemory(to: Float.self, capacity: max(count, 1))
  }
}
