package import GGUF

/// Why a model can't be loaded or run, fit to be shown to a user on one line.
package enum ModelError: Error, Equatable, Sendable {
  /// The file's metadata can't be read.
  case file(GGUFError)
  /// No family of this name is supported.
  case unsupportedArchitecture(String, supported: [String])
  /// A metadata key is absent that a forward pass can't do without.
  case missingKey(String)
  /// A metadata value that can't be, or that asks for what isn't supported.
  case invalidValue(key: String, found: String, expected: String)
  case missingTensor(String, neededFor: String)
  /// A tensor of other dimensions than the metadata says.
  case shape(tensor: String, expected: [Int], found: [Int])
  /// A tensor whose contents can't be.
  case invalidTensor(String, reason: String)
  /// A context window that isn't positive or is longer than what the model was made for.
  case contextLength(asked: Int, limit: Int)
  /// The tokens don't fit in what is left of the context window.
  case contextFull(tokens: Int, used: Int, limit: Int)
  /// A token id that the model has no row for.
  case tokenOutOfRange(Int, vocabularySize: Int)
  case noTokens
  case outOfMemory(byteCount: Int, purpose: String)
  case cancelled
}

extension ModelError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .unsupportedArchitecture(let name, let supported):
      "key \"general.architecture\": \"\(GGUFError.printable(name))\" is not supported; supported are "
        + supported.joined(separator: ", ")
    case .missingKey(let key): "key \"\(key)\" is missing"
    case .invalidValue(let key, let found, let expected):
      "key \"\(key)\": \(expected) is expected, not \(GGUFError.printable(found))"
    case .missingTensor(let name, let purpose): "tensor \"\(name)\" is missing; \(purpose)"
    case .shape(let name, let expected, let found):
      "tensor \"\(name)\": dimensions \(Self.text(expected)) are expected, not \(Self.text(found))"
    case .invalidTensor(let name, let reason): "tensor \"\(name)\": \(reason)"
    case .contextLength(let asked, let limit):
      "a context of \(asked) tokens isn't possible: this model takes 1 to \(limit)"
    case .contextFull(let tokens, let used, let limit):
      used == 0
        ? "\(tokens) tokens don't fit in the context of \(limit)"
        : "\(tokens) more tokens don't fit in the context of \(limit), of which \(used) are in use"
    case .tokenOutOfRange(let id, let size): "token \(id) is not in the model's vocabulary of \(size)"
    case .noTokens: "there are no tokens to run"
    case .outOfMemory(let byteCount, let purpose):
      "no memory for \(purpose) (\(byteCount) bytes); a shorter context takes less"
    case .cancelled: "cancelled"
    }
  }

  private static func text(_ dimensions: [Int]) -> String {
    dimensions.map(String.init).joined(separator: " x ")
  }
}
