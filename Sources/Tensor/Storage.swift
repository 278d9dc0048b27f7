/// Read-only bytes that tensors view: a mapped file, or memory of our own.
///
/// Invariant: the `count` bytes from `base` stay valid and unchanged for as long as `owner` is alive, and the storage
/// keeps its owner alive.
package final class Storage: @unchecked Sendable {  // protected by being immutable after `init`
  package let base: UnsafeRawPointer
  package let count: Int
  private let owner: AnyObject

  /// Views memory that `owner` keeps alive and unchanged.
  package init(base: UnsafeRawPointer, count: Int, owner: AnyObject) {
    self.base = base
    self.count = count
    self.owner = owner
  }

  /// Copies `bytes` into memory of its own, aligned to a cache line.
  package convenience init(copying bytes: [UInt8]) {
    let memory = OwnedMemory(byteCount: bytes.count)
    bytes.withUnsafeBytes {
      memory.pointer.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory.pointer), byteCount: $0.count)
    }
    self.init(base: UnsafeRawPointer(memory.pointer), count: bytes.count, owner: memory)
  }
}

/// A heap allocation that is freed with its object.
private final class OwnedMemory {
  let pointer: UnsafeMutableRawPointer

  init(byteCount: Int) {
    pointer = .allocate(byteCount: max(byteCount, 1), alignment: 64)
  }

  deinit { pointer.deallocate() }
}
