import Foundation

/// Keeps two programs from working in one folder at the same time; the system lets go when the holder dies.
struct FolderLock {
  private let descriptor: Int32

  /// Waits until the lock is ours.
  ///
  /// - Parameter waiting: called once when somebody else holds it.
  init(_ url: URL, waiting: () -> Void) throws(ModelDownloadError) {
    descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw ModelDownloadError(
        .folderNotWritable,
        "can't write to \(url.deletingLastPathComponent().path): \(String(cString: strerror(errno)))")
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK {
      waiting()
      while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    }
  }

  /// Lets the next one in.
  func release() {
    close(descriptor)
  }
}
