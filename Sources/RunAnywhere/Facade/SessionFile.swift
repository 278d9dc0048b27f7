import Foundation
import JSON
import Tools

/// A saved session: the conversation, and the KV cache behind it.
///
/// The file begins with `RASESS` and the version as four digits, the length of the header as twelve digits and its
/// SHA-256 as 64, each followed by a line feed; then come the header, a JSON document, and the cache, which checks itself.
/// All of it but the cache is text, so that a person can look at it.
struct SessionFile: Sendable {
  /// What the header says.
  struct Header: Sendable, Equatable {
    /// The name of the model, for messages.
    var model: String
    /// What tells the model from others; `nil` when it has nothing of the kind.
    var fingerprint: String?
    var turns: [LLMMessage]
    var toolNames: [String]
    /// The tokens in the cache.
    var tokens: [Int]
    /// The length of the cache.
    var cacheByteCount: Int
  }

  let header: Header
  private let data: Data
  private let cacheStart: Int

  private static let magic = "RASESS"
  private static let version = 1
  /// `RASESS0001⏎`, twelve digits and a line feed, 64 digits and a line feed.
  private static let prefixLength = 11 + 13 + 65

  // MARK: Reading

  /// Reads a file; everything but the cache is checked.
  ///
  /// - Throws: ``SDKError`` with `.invalidSession`, naming the file and what is wrong with it.
  init(reading url: URL) throws(SDKError) {
    let path = url.path(percentEncoded: false)
    guard
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let data = try? Data(contentsOf: url, options: .mappedIfSafe)
    else { throw SDKError(code: .invalidSession, message: "\(path): there is no such file, or it can't be read") }
    do throws(SDKError) {
      try self.init(data)
    } catch {
      throw SDKError(code: error.code, message: "\(path): \(error.message)")
    }
  }

  init(_ data: Data) throws(SDKError) {
    let prefix = String(decoding: data.prefix(Self.prefixLength), as: UTF8.self)
    guard prefix.hasPrefix(Self.magic) else { throw Self.fault("this is no saved session") }
    let lines = prefix.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0].utf8.count == 10, lines[1].utf8.count == 12, lines[2].utf8.count == 64,
      let version = Int(lines[0].dropFirst(6)), let length = Int(lines[1]), length >= 0
    else { throw Self.fault("the session is damaged: its beginning is unreadable") }
    guard version == Self.version else {
      throw Self.fault("the session has format \(version); this program reads format \(Self.version)")
    }
    guard length <= data.count - Self.prefixLength else {
      throw Self.fault("the session is cut short: \(data.count) bytes, its header alone has \(length)")
    }
    let text = data.dropFirst(Self.prefixLength).prefix(length)
    var hash = SHA256()
    hash.update(text)
    guard hash.finish() == String(lines[2]) else {
      throw Self.fault("the session is damaged: its header doesn't have the checksum that it should have")
    }
    header = try Self.header([UInt8](text))
    cacheStart = Self.prefixLength + length
    guard header.cacheByteCount == data.count - cacheStart else {
      throw Self.fault(
        "the session is damaged: \(data.count - cacheStart) bytes of cache, its header speaks of \(header.cacheByteCount)"
      )
    }
    self.data = data
  }

  private static func header(_ text: [UInt8]) throws(SDKError) -> Header {
    do {
      let json = try JSONValue(parsing: text)
      guard let model = json["model"]?.stringValue, let cache = json["cache_bytes"]?.integerValue, cache >= 0,
        let tokens = json["tokens"]?.arrayValue, let tools = json["tools"]?.arrayValue
      else { throw fault("the session's header lacks a member") }
      let ids = tokens.compactMap(\.integerValue)
      guard ids.count == tokens.count, ids.allSatisfy({ $0 >= 0 }) else { throw fault("its tokens are no ids") }
      return Header(
        model: model, fingerprint: json["fingerprint"]?.stringValue,
        turns: try [LLMMessage](importing: json), toolNames: tools.compactMap(\.stringValue), tokens: ids,
        cacheByteCount: cache)
    } catch let error as SDKError {
      throw error
    } catch {
      throw fault("the session's header can't be read: \(error)")
    }
  }

  static func fault(_ reason: String) -> SDKError { SDKError(code: .invalidSession, message: reason) }

  /// Hands the cache to `body`, which must not keep it.
  func withCache(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try data.withUnsafeBytes { bytes in
      // `cacheStart` is at most the length of the data: the initialiser has checked it.
      try body(UnsafeRawBufferPointer(rebasing: bytes[cacheStart...]))
    }
  }

  // MARK: Writing

  /// Writes a session in one step: either the whole file is there afterwards, or what was there before. What a symbolic
  /// link names is replaced, not the link.
  ///
  /// - Parameters:
  ///   - header: its tokens and length of the cache are filled in.
  ///   - cache: writes the cache piece by piece and says which tokens are in it.
  static func write(
    _ header: Header, to url: URL, cache: ((UnsafeRawBufferPointer) throws -> Void) throws -> [Int]
  ) throws {
    let url = try target(url)
    let folder = url.deletingLastPathComponent()
    let draft = folder.appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
    let tail = folder.appending(path: draft.lastPathComponent + ".cache")
    defer {
      try? FileManager.default.removeItem(at: draft)
      try? FileManager.default.removeItem(at: tail)
    }
    do {
      // The header tells the length of the cache, so the cache is written first, into a file of its own.
      try Data().write(to: tail)
      let cacheFile = try FileHandle(forWritingTo: tail)
      var header = header
      header.cacheByteCount = 0
      header.tokens = try cache { piece in
        header.cacheByteCount += piece.count
        try cacheFile.write(contentsOf: Data(piece))
      }
      try cacheFile.close()
      try (text(of: header)).write(to: draft)
      try append(tail, to: draft)
      guard rename(draft.path(percentEncoded: false), url.path(percentEncoded: false)) == 0 else {
        throw unwritable(url, String(cString: strerror(errno)))
      }
    } catch let error as CocoaError {
      throw unwritable(url, error.localizedDescription, error)
    }
  }

  /// The file that is to be written. Renaming would put a file in the place of a device or a pipe, so only files are
  /// replaced.
  private static func target(_ url: URL) throws -> URL {
    guard url.isFileURL else { throw unwritable(url, "only files can be written") }
    let target = url.resolvingSymlinksInPath()
    let type = (try? FileManager.default.attributesOfItem(atPath: target.path(percentEncoded: false)))?[.type]
    switch type as? FileAttributeType {
    case nil, .typeRegular?: break
    case .typeDirectory?: throw unwritable(url, "it is a folder")
    default: throw unwritable(url, "it is no ordinary file")
    }
    let folder = target.deletingLastPathComponent().path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: folder) else {
      throw unwritable(url, "there is no folder \(folder)")
    }
    return target
  }

  private static func unwritable(_ url: URL, _ reason: String, _ error: (any Error)? = nil) -> SDKError {
    SDKError(
      code: .processingFailed, message: "\(url.path(percentEncoded: false)): the session can't be written (\(reason))",
      underlyingError: error)
  }

  private static func append(_ tail: URL, to draft: URL) throws {
    let source = try FileHandle(forReadingFrom: tail)
    let target = try FileHandle(forWritingTo: draft)
    try target.seekToEnd()
    while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty { try target.write(contentsOf: piece) }
    try target.close()
    try source.close()
  }

  /// All but the cache.
  private static func text(of header: Header) -> Data {
    let document: JSONValue = [
      "model": .string(header.model), "fingerprint": header.fingerprint.map { .string($0) } ?? .null,
      "tools": .array(header.toolNames.map { .string($0) }), "messages": header.turns.openAIMessages,
      "tokens": .array(header.tokens.map { .integer($0) }), "cache_bytes": .integer(header.cacheByteCount),
    ]
    let json = Array(document.compact.utf8)
    var hash = SHA256()
    hash.update(json)
    let length = digits(json.count, 12)
    return Data("\(magic)\(digits(version, 4))\n\(length)\n\(hash.finish())\n".utf8) + Data(json)
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
  }
}
