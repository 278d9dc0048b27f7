#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output or standard error, written at once and without a buffer that could be lost or mixed up.
package enum Console: Int32, Sendable {
  case output = 1
  case error = 2

  /// Whether a person is looking at it.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes the whole of `text`.
  ///
  /// - Returns: `false` when the reader has gone away (a closed pipe) or the disk is full.
  @discardableResult
  package func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, !rest.isEmpty {
        // `rest` stays within the string's storage, which outlives this closure.
        #if canImport(Glibc)
          let written = Glibc.write(rawValue, start, rest.count)
        #else
          let written = Darwin.write(rawValue, start, rest.count)
        #endif
        if written > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        } else if errno == EAGAIN {
          // Somebody made the descriptor non-blocking: wait until it takes more.
          var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
          poll(&descriptor, 1, -1)
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }

  /// Writes `text` and a line feed.
  @discardableResult
  package func line(_ text: String) -> Bool {
    write(text + "\n")
  }
}
