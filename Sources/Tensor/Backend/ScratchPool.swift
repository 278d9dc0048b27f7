/// Scratch memory for each worker of a pool, kept from product to product and grown when one needs more.
///
/// `@unchecked Sendable`: grown only between parallel regions; inside a region each worker uses its own part.
final class ScratchPool: @unchecked Sendable {
  private let workers: Int
  private var byteCount = 0
  private var base: UnsafeMutableRawPointer?

  init(workers: Int) { self.workers = workers }

  deinit { base?.deallocate() }

  /// Makes room for `bytes` per worker. What was in the scratch before is lost.
  func reserve(bytes: Int) {
    guard bytes > byteCount else { return }
    base?.deallocate()
    // Parts are whole cache lines, so that two workers never write to the same one.
    byteCount = (bytes + 127) & ~127
    base = .allocate(byteCount: byteCount * workers, alignment: 128)
  }

  func reserve(floats: Int) { reserve(bytes: floats * MemoryLayout<Float>.size) }

  /// The part of `worker`: as many bytes as were reserved last, aligned to a cache line.
  func bytes(worker: Int) -> UnsafeMutableRawPointer {
    guard let base, worker < workers else { preconditionFailure("no scratch for worker \(worker)") }
    return base + worker * byteCount
  }

  func floats(worker: Int) -> UnsafeMutablePointer<Float> {
    bytes(worker: worker).assumingMemoryBound(to: Float.self)
  }
}
