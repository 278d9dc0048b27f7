package import GGUF

/// Why a file's tokenizer can't be used, fit to be shown on one line.
package enum TokenizerError: Error, Equatable, Sendable {
  /// A metadata key that a tokenizer needs isn't in the file.
  case missing(key: String)
  /// The kind of tokenizer or pre-tokenizer isn't one of those that are supported.
  case unsupported(key: String, value: String, supported: [String])
  /// A key's value can't be right.
  case invalid(key: String, reason: String)
  /// The metadata couldn't be read.
  case file(GGUFError)
}

extension TokenizerError: CustomStringConvertible {
  /// One line: key, reason, and what to do.
  package var description: String {
    switch self {
    case .missing(let key): "key \"\(key)\" is missing; the file has no tokenizer"
    case .unsupported(let key, let value, let supported):
      "key \"\(key)\": \"\(GGUFError.printable(value))\" is not supported; "
        + "supported are \(supported.joined(separator: ", "))"
    case .invalid(let key, let reason): "key \"\(key)\": \(reason)"
    case .file(let error): "\(error)"
    }
  }
}
