#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that is written under a temporary name and gets its own when it is complete.
final class OutputFile {
  private let path: String
  private let temporaryPath: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  private static let bufferByteCount = 1 << 22

  init(path: String) throws(GGUFError) {
    self.path = path
    temporaryPath = "\(path).\(getpid()).partial"
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.systemError(path: path) }
  }

  /// Without a ``commit()`` nothing remains.
  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(temporaryPath)
  }

  func write(_ bytes: [UInt8]) throws(GGUFError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferByteCount { try flush() }
  }

  /// Gives the file its name.
  func commit() throws(GGUFError) {
    try flush()
    let isClosed = close(descriptor) == 0
    descriptor = -1
    guard isClosed, rename(temporaryPath, path) == 0 else {
      let error = Self.systemError(path: path)
      unlink(temporaryPath)
      throw error
    }
  }

  private func flush() throws(GGUFError) {
    var done = 0
    while done < buffer.count {
      // In bounds: `done` is below the buffer's count, and the pointer isn't kept.
      let written = buffer.withUnsafeBytes { raw in
        raw.baseAddress.map { systemWrite(descriptor, $0 + done, raw.count - done) } ?? 0
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw Self.systemError(path: path) }
      done += written
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func systemError(path: String) -> GGUFError {
    GGUFError(.fileUnusable, reason: "cannot be written: \(String(cString: strerror(errno)))", path: path)
  }
}

/// `write(2)`, under a name that doesn't collide with the method.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
