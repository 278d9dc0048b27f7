#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A copy of some bytes that ends exactly where memory that may not be read begins: a read past the end is a crash.
package final class GuardedMemory {
  package let base: UnsafeRawPointer
  private let mapping: UnsafeMutableRawPointer
  private let mappedByteCount: Int

  /// - Returns: `nil` when the system refuses the memory.
  package init?(_ bytes: [UInt8]) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let dataBytes = (bytes.count + page - 1) / page * page
    mappedByteCount = dataBytes + page
    guard
      let mapping = mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      mapping != MAP_FAILED
    else { return nil }
    self.mapping = mapping
    guard mprotect(mapping + dataBytes, page, PROT_NONE) == 0 else { return nil }
    // `bytes.count` bytes fit before the protected page.
    let start = mapping + (dataBytes - bytes.count)
    bytes.withUnsafeBytes { source in
      if let address = source.baseAddress { start.copyMemory(from: address, byteCount: source.count) }
    }
    base = UnsafeRawPointer(start)
  }

  deinit { munmap(mapping, mappedByteCount) }
}
