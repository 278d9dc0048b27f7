import Tensor

/// Why a snapshot can't be restored, fit to be shown to a user on one line.
package enum SnapshotError: Error, Equatable, Sendable {
  /// The bytes don't begin as a snapshot does.
  case notASnapshot
  case unsupportedVersion(Int, supported: Int)
  /// Fewer or more bytes than the snapshot's own header says.
  case byteCount(expected: Int, found: Int)
  /// It was made with another model.
  case otherModel(expected: ModelFingerprint, found: ModelFingerprint)
  /// The cache is laid out otherwise: another element type or shape.
  case otherLayout(what: String, expected: Int, found: Int)
  /// More positions than the context holds.
  case tooLong(positions: Int, limit: Int)
  /// The bytes aren't those that were written.
  case damaged
  case outOfMemory(byteCount: Int)
}

extension SnapshotError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notASnapshot: "these bytes are no snapshot of a context"
    case .unsupportedVersion(let version, let supported):
      "the snapshot's format is version \(version), where \(supported) is supported; save the session again"
    case .byteCount(let expected, let found):
      "the snapshot has \(found) bytes, where its header announces \(expected); it was cut or is not one snapshot alone"
    case .otherModel(let expected, let found):
      "the snapshot was made with another model (fingerprint \(found), here \(expected))"
    case .otherLayout(let what, let expected, let found):
      "the snapshot's \(what) is \(found), where this context has \(expected); open the context as it was when saved"
    case .tooLong(let positions, let limit):
      "the snapshot holds \(positions) tokens, which don't fit in the context of \(limit)"
    case .damaged: "the snapshot is damaged: its checksum is another"
    case .outOfMemory(let byteCount): "no memory for the snapshot's positions (\(byteCount) bytes)"
    }
  }
}
