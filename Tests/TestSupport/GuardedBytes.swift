package import Tensor

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Bytes that end right before a page that may not be read: one byte too far ends the process.
///
/// Tests that pass with these bytes have not read past the end.
package final class GuardedBytes {
  private let mapping: UnsafeMutableRawPointer
  private let mappingByteCount: Int
  private let base: UnsafeMutableRawPointer
  package let count: Int

  /// Copies `bytes`; `nil` when the system has no memory for them.
  ///
  /// - Parameter alignment: where the bytes begin, a power of two up to a page's size. Above 1 up to `alignment - 1` bytes
  ///   may lie between their end and the guard page.
  package init?(_ bytes: ArraySlice<UInt8>, alignment: Int = 1) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let usable = (bytes.count + page) / page * page
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let mapping = mmap(nil, usable + page, PROT_READ | PROT_WRITE, flags, -1, 0), mapping != MAP_FAILED,
      mprotect(mapping + usable, page, PROT_NONE) == 0
    else { return nil }
    self.mapping = mapping
    mappingByteCount = usable + page
    // The bytes fit in front of the guard page: `usable` is at least their number.
    base = mapping + (usable - bytes.count) / alignment * alignment
    count = bytes.count
    bytes.withUnsafeBytes { if let source = $0.baseAddress { base.copyMemory(from: source, byteCount: $0.count) } }
  }

  deinit { munmap(mapping, mappingByteCount) }

  package var storage: Storage {
    // Valid for as long as `self`, which the storage retains, and never written again.
    Storage(base: UnsafeRawPointer(base), count: count, owner: self)
  }
}
