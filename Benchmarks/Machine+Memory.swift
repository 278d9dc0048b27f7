import Foundation

extension Machine {
  /// Memory of this process that no file stands behind, in megabytes of 10^6 bytes, or `nil` where the system doesn't
  /// tell (it is read from Linux's `/proc`).
  static var privateMegabytes: Double? { privateMegabytes(status: "/proc/self/status") }

  /// The same of another process.
  static func privateMegabytes(of process: Int32) -> Double? { privateMegabytes(status: "/proc/\(process)/status") }

  private static func privateMegabytes(status path: String) -> Double? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
      let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
    else { return nil }
    return kilobytes * 1024 / 1e6
  }
}
