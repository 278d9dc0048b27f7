/// Why a chat template could not be compiled or rendered.
package struct TemplateError: Error, Sendable, Equatable {
  /// The kind of fault.
  package enum Kind: String, Sendable {
    /// The source isn't a template of the language.
    case syntax
    /// A construct of the language that this interpreter leaves out on purpose (other files, modules).
    case unsupported
    /// A missing variable, attribute or item was used.
    case undefined
    /// A value of the wrong type, or a wrong number of arguments.
    case type
    /// A value of the right type that cannot be used.
    case value
    /// An attribute or method that templates may not reach.
    case security
    /// A bound on nesting, steps, memory, output or time was reached.
    case limit
    /// The template called `raise_exception`; the message is its text, unchanged.
    case raised
  }

  package var kind: Kind
  package var message: String
  /// The line in the template, from 1.
  package var line: Int
  /// The column in scalars, from 1.
  package var column: Int

  private static let longestMessage = 4000

  package init(_ kind: Kind, _ message: String, line: Int = 0, column: Int = 0) {
    self.kind = kind
    // Names and values of the template may be as long as it likes; messages are for a line.
    self.message =
      message.utf8.count > Self.longestMessage
      ? String(message.unicodeScalars.prefix(Self.longestMessage / 8)) + "…" : message
    self.line = line
    self.column = column
  }
}

extension TemplateError: CustomStringConvertible {
  package var description: String {
    let place = line > 0 ? "chat template, line \(line), column \(column): " : "chat template: "
    return kind == .raised ? "\(place)the template refuses the conversation: \(message)" : place + message
  }
}
