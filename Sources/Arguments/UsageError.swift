/// Wrong usage of a program: one line for the user, exit status 2.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was wrong and what would be right.
  package let message: String

  package init(_ message: String) {
    self.message = message
  }

  package var description: String { message }
}
