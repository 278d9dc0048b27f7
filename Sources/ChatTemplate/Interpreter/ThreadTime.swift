#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How long this thread has been working.
///
/// On a busy machine time passes without work being done: a template that is harmless may not be refused because others
/// were served in between.
enum ThreadTime {
  /// Seconds of work since the thread began.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
