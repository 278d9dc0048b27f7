/// Why a GGUF file was refused or could not be written, fit to be shown to a user on one line.
///
/// ```swift
/// do { let file = try GGUFFile(path: path) } catch { print(error) }
/// // model.gguf: tensor "output.weight": type 999 is not supported
/// ```
///
/// Names that come from the file are quoted, cut to a readable length, and freed of control characters, so that a
/// hostile file can't write to a terminal through its error message.
package struct GGUFError: Error, Equatable, Sendable {
  /// What kind of fault it is, for programs that have to tell them apart.
  package enum Kind: Equatable, Sendable {
    /// There is no such file.
    case fileNotFound
    /// The path names a directory, device or pipe, or the file can't be opened, mapped, or written.
    case fileUnusable
    /// The bytes are no GGUF file.
    case notGGUF
    /// A GGUF file of a version or byte order that isn't supported.
    case unsupportedVersion
    /// The file ends before what its header announces.
    case truncated
    /// A header field has a value that can't be.
    case invalidHeader
    /// A metadata key or value can't be read or isn't of the expected type.
    case invalidMetadata
    /// A tensor's description can't be right.
    case invalidTensor
    /// A tensor's element type isn't supported.
    case unsupportedElementType
  }

  /// The part of the file that the error is about.
  package enum Subject: Equatable, Sendable {
    case key(String)
    case tensor(String)
    case header(String)
  }

  package let kind: Kind
  /// The key, tensor or header field at fault, if one is.
  package let subject: Subject?
  /// What is wrong with it.
  package let reason: String
  /// What the user can do about it, where that is known.
  package let advice: String?
  /// The file, if the error belongs to one.
  package internal(set) var path: String?

  package init(
    _ kind: Kind, _ subject: Subject? = nil, reason: String, advice: String? = nil, path: String? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.reason = reason
    self.advice = advice
    self.path = path
  }
}

extension GGUFError: CustomStringConvertible {
  /// One line: file, key or tensor, reason, advice.
  package var description: String {
    var line = path.map { "\(Self.printable($0, limit: 1024)): " } ?? ""
    switch subject {
    case .key(let name): line += "key \"\(Self.printable(name))\": "
    case .tensor(let name): line += "tensor \"\(Self.printable(name))\": "
    case .header(let field): line += "\(field): "
    case nil: break
    }
    line += reason
    if let advice { line += "; \(advice)" }
    return line
  }

  /// `text` fit for an error message: without control characters, and cut after `limit` scalars.
  package static func printable(_ text: String, limit: Int = 80) -> String {
    var result = ""
    var left = limit
    for scalar in text.unicodeScalars {
      guard left > 0 else { return result + "…" }
      left -= 1
      let isControl =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
      result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return result
  }
}
