#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a reader of a measurement has to know about the machine and the build.
enum Machine {
  /// The load average over one minute, or `nil` where the system doesn't tell.
  static var loadAverage: Double? {
    var average = 0.0
    // `getloadavg` fills at most as many values as it is told to: one.
    return getloadavg(&average, 1) == 1 ? average : nil
  }

  /// Whether this is a debug build, whose times say nothing.
  static var isDebugBuild: Bool {
    var debug = false
    assert(
      {
        debug = true; return true
      }())
    return debug
  }
}

/// The middle of several measurements; NaN when there is none.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// A number with `digits` decimals, for tables.
func fixed(_ value: Double, _ digits: Int = 1) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
  let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
  let rounded = (abs(value) * scale).rounded()
  let whole = (rounded / scale).rounded(.down)
  let sign = value < 0 && rounded > 0 ? "-" : ""
  guard digits > 0, whole < 1e15 else { return sign + "\(Int(whole))" }
  let fraction = String(Int(rounded - whole * scale))
  return sign + "\(Int(whole))." + String(repeating: "0", count: max(0, digits - fraction.count)) + fraction
}
