#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The three streams that every program is started with.
enum StandardStreams {
  /// Puts something in the place of streams that were closed by whoever started the program (`>&-`): the next file that is
  /// opened, a model or a session, would get the number of the missing one, and answers would go there. Reading finds
  /// nothing, and writing fails.
  static func keepOpen() {
    // From 0 on: a file gets the lowest number that is free.
    for stream in 0...2 as ClosedRange<Int32> where fcntl(stream, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
