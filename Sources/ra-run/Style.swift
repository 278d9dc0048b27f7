import Arguments
import Foundation

/// The little decoration that a terminal gets, and nobody else.
struct Style: Sendable {
  private let isOn: Bool

  /// - Parameter console: where the text goes. `NO_COLOR` and a dumb terminal turn decoration off.
  init(_ console: Console, environment: [String: String] = ProcessInfo.processInfo.environment) {
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    isOn = console.isTerminal && !isRefused && environment["TERM"] != "dumb"
  }

  /// For what is beside the point.
  func dim(_ text: String) -> String { isOn ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

  /// For what is asked for.
  func bold(_ text: String) -> String { isOn ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
