package import Tensor

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A regular file mapped read-only into memory.
///
/// Nothing is read until it is touched, and processes that map the same file share its pages. The mapping is undone
/// when the last tensor that views it is gone.
///
/// - Important: A file that another process shortens while it is read can't be read safely on any platform (the kernel
///   sends `SIGBUS`); ``GGUFFile/requireWhole()`` finds most of these cases before. Replace model files by renaming a new
///   one over them, never by writing into them.
package final class MappedFile: Sendable {
  /// The first mapped byte, as an address: `MappedFile` is immutable, so this is safe to share.
  private let address: UInt
  package let count: Int
  /// Kept open to see whether the file is still as long as it was.
  private let descriptor: CInt

  /// Maps the file at `path`.
  ///
  /// - Throws: ``GGUFError`` when nothing is there, when it is no regular file (a directory, device or pipe is never
  ///   read from), or when it is empty or can't be mapped.
  package init(path: String) throws(GGUFError) {
    // The kind is looked at before opening: opening a pipe waits for a writer, opening a device may have effects.
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.systemError(path: path) }
    try Self.requireRegular(status, path: path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.systemError(path: path) }
    do throws(GGUFError) {
      // Looked at again, now that it can't be exchanged any more.
      guard fstat(descriptor, &status) == 0 else { throw Self.systemError(path: path) }
      try Self.requireRegular(status, path: path)
      guard status.st_size > 0 else {
        throw GGUFError(.notGGUF, reason: "the file is empty", advice: "download it again", path: path)
      }
      guard let count = Int(exactly: status.st_size),
        let base = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED
      else { throw Self.systemError(path: path) }
      self.address = UInt(bitPattern: base)
      self.count = count
      self.descriptor = descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Makes sure that the file is still as long as when it was mapped. What has been cut off can't be read any more.
  ///
  /// - Complexity: one system call, well under a microsecond.
  func requireWhole(path: String?) throws(GGUFError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) < count else { return }
    throw GGUFError(
      .truncated, reason: "the file was cut from \(count) to \(status.st_size) bytes while in use",
      advice: "load the model again", path: path)
  }

  deinit {
    close(descriptor)
    munmap(UnsafeMutableRawPointer(bitPattern: address), count)
  }

  /// The mapped bytes as storage that tensors can view; it keeps the mapping alive.
  package var storage: Storage {
    guard let base = UnsafeRawPointer(bitPattern: address) else { return Storage(copying: []) }
    // `address` and `count` are those of a mapping that lives as long as `self`, which the storage retains.
    return Storage(base: base, count: count, owner: self)
  }

  private static func requireRegular(_ status: stat, path: String) throws(GGUFError) {
    let kind: String
    switch status.st_mode & mode_t(S_IFMT) {
    case mode_t(S_IFREG): return
    case mode_t(S_IFDIR): kind = "is a directory"
    case mode_t(S_IFCHR), mode_t(S_IFBLK): kind = "is a device"
    case mode_t(S_IFIFO): kind = "is a pipe"
    default: kind = "is no regular file"
    }
    throw GGUFError(.fileUnusable, reason: kind, advice: "give the path of a .gguf file", path: path)
  }

  private static func systemError(path: String) -> GGUFError {
    let code = errno
    let isAbsent = code == ENOENT || code == ENOTDIR
    return GGUFError(
      isAbsent ? .fileNotFound : .fileUnusable, reason: isAbsent ? "no such file" : String(cString: strerror(code)),
      path: path)
  }
}
