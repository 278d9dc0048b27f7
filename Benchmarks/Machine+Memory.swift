import Foundation

extension Machine {
  /// Memory of this process that no file stands behind, in megabytes of 10^6 bytes, or `nil` where the system doesn't
  /// tell (it is read from Linux's `/proc`).
  static var privateMegabytes: Double? { privateMegabytes(status: "/proc/self/status") }

  /// All memory of this process that is in RAM, the touched part of the model's file included.
  static var residentMegabytes: Double? { megabytes("VmRSS:", status: "/proc/self/status") }

  /// The same of another process.
  static func privateMegabytes(of process: Int32) -> Double? { privateMegabytes(status: "/proc/\(process)/status") }

  private static func privateMegabytes(status path: String) -> Double? { megabytes("RssAnon:", status: path) }

  private static func megabytes(_ name: String, status path: String) -> Double? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
    else { return nil }
    return kilobytes * 1024 / 1e6
  }
}
