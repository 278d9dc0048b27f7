import Foundation

/// How long things may take in a test: as long as they need, unless they hang.
///
/// A test may not fail because the machine is slow or busy. What has to come before what is checked by flags and counts; how
/// fast something is, `ra-bench` measures. What is left for a clock is to notice that something doesn't come to an end:
///
/// ```swift
/// task.cancel()
/// await #expect(throws: CancellationError.self) { try await task.value }   // the handler goes on for Slowness.hang
/// #expect(returned.value == 0)
/// #expect(await eventually { cancelled.value == 1 })
/// ```
package enum Slowness {
  /// How much longer things may take than without sanitizers: 1 unless `RA_SLOWNESS` says more (`Scripts/sanitize` does).
  package static let factor = max(
    1, ProcessInfo.processInfo.environment["RA_SLOWNESS"].flatMap(Double.init) ?? 1)

  /// A time that nothing takes which is done in a second on an idle machine, however busy the machine is.
  package static let hang = Duration.seconds(120 * factor)
}

/// Waits until `condition` is true, and says whether it became so within ``Slowness/hang``.
package func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + Slowness.hang
  while !(try condition()) {
    guard .now < end else { return false }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return true
}

/// ``eventually(_:)-async`` for tests that don't run in a task: blocks the thread.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + Slowness.hang
  while !(try condition()) {
    guard .now < end else { return false }
    Thread.sleep(forTimeInterval: 0.005)
  }
  return true
}
