import Foundation

/// How much longer things may take than on an idle machine without sanitizers.
///
/// ```swift
/// #expect(elapsed < Slowness.scaled(.seconds(2)))
/// ```
///
/// `make sanitize` sets `RA_SLOWNESS`; bounds of time that tests set go through here, so that a sanitizer's slowness isn't
/// taken for a fault.
package enum Slowness {
  /// 1 unless `RA_SLOWNESS` says more.
  package static let factor = max(
    1, ProcessInfo.processInfo.environment["RA_SLOWNESS"].flatMap(Double.init) ?? 1)

  /// How much longer one piece of computing may take in a debug build.
  package static var ofBuild: Double {
    #if DEBUG
      5
    #else
      1
    #endif
  }

  package static func scaled(_ duration: Duration) -> Duration { duration * factor }
}
