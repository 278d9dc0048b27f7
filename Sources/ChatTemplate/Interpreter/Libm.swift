#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few functions of the C library that templates need.
enum Libm {
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  /// Seconds since 1970-01-01 00:00 UTC.
  static func secondsNow() -> Int { time(nil) }
}
