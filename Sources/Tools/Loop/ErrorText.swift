import Foundation

/// The words of an error.
package enum ErrorText {
  /// The localised message of an error that has one, otherwise its description, in one line.
  package static func message(of error: any Error) -> String {
    let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
